// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Only lane 0 reads the id and nobody tells the other lanes: they copy row 0.
// SAYS: lanes?|row 0|\bid\b|broadcast|first row
// SAYS: lane|broadcast|only|row 0|31
// NEVER: \brace\b|misaligned|never (been )?written
// HELD: no
// FILL ME IN: gather_row (roughly 8 lines)
  int id = 0;
  if (lane == 0) id = ids[token];
  const bool known = id >= 0 && id < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};
// END: gather_row
