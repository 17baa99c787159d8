// ENTRY: kernel
// CLASS: pointer
// CAUSE: The ids are read as 64-bit integers although they are 32-bit: every id is two ids in one, and the second half lies past the end.
// SAYS: \bids?\b
// SAYS: \b64 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 64(?![.,]?\d)(?! of)|8 bytes|long|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|misalign|\btwo\b
// NEVER: \brace\b|grid (is )?too
// HELD: yes
// FILL ME IN: gather_row (roughly 8 lines)
  const long long id = reinterpret_cast<const long long*>(ids)[token];
  const bool known = id >= 0 && id < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};
// END: gather_row
