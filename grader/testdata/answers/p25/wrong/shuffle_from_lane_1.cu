// ENTRY: kernel
// CLASS: mask
// CAUSE: The id is taken from lane 1 by a shuffle, but lane 0 is the one that read it.
// SAYS: lane|shfl|shuffle|\bids?\b|row 0 of|all zero|broadcast
// NEVER: one id for the eight|\brace\b|misaligned|never (been )?written|__activemask
// HELD: no
// FILL ME IN: gather_row (roughly 8 lines)
  int id = 0;
  if (lane == 0) id = ids[token];
  id = __shfl_sync(0xffffffffu, id, 1);
  const bool known = id >= 0 && id < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};
// END: gather_row
