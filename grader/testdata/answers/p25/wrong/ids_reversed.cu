// ENTRY: kernel
// CLASS: index
// CAUSE: Ids are read from the end: token t gets the row of ids[tokens - 1 - t].
// SAYS: \bids?\b|tokens?|rows?
// SAYS: other end|backwards|revers|last
// NEVER: \brace\b|misaligned|never (been )?written
// HELD: no
// FILL ME IN: gather_row (roughly 4 lines)
  const int id = ids[tokens - 1 - token];
  const bool known = id >= 0 && id < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};
// END: gather_row
