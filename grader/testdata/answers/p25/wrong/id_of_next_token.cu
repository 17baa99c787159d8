// ENTRY: kernel
// CLASS: index
// CAUSE: ids[token + 1] is read: every token gets its neighbour's row, the last one its own.
// SAYS: \bids?\b|tokens?
// SAYS: next|\+ ?1|neighbour|shift|further
// NEVER: \brace\b|misaligned|never (been )?written
// HELD: no
// FILL ME IN: gather_row (roughly 4 lines)
  const int id = ids[token + 1 < tokens ? token + 1 : token];
  const bool known = id >= 0 && id < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};
// END: gather_row
