// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Only lane 0 reads the id and nobody tells the other lanes: they copy row 0.
// SAYS: lanes?\b|table\[0|row 0 of|copies? of row 0|\bid\b|broadcast|first row
// SAYS: lane|broadcast|only|row 0 of|row 0|\b31 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 31(?![.,]?\d)(?! of)
// NEVER: \brace\b|misaligned|never (been )?written
// HELD: yes
// FILL ME IN: gather_row (roughly 8 lines)
  int id = 0;
  if (lane == 0) id = ids[token];
  const bool known = id >= 0 && id < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};
// END: gather_row
