// ENTRY: kernel
// CLASS: pointer
// CAUSE: The ids are read as 64-bit integers although they are 32-bit: every id is two ids in one, and the second half lies past the end.
// SAYS: \bids?\b
// SAYS: 64|8 bytes|long|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|misalign|two
// NEVER: \brace\b|grid (is )?too
// HELD: yes
// FILL ME IN: gather_row (roughly 8 lines)
  const long long id = reinterpret_cast<const long long*>(ids)[token];
  const bool known = id >= 0 && id < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};
// END: gather_row
