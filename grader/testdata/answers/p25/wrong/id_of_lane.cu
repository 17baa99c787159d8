// ENTRY: kernel
// CLASS: index
// CAUSE: Each lane reads an id of its own, ids[token + lane], and so copies pieces of different rows (at the end past the ids).
// SAYS: \bids?\b
// SAYS: lane|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|index|different|token
// NEVER: \brace\b|misaligned
// HELD: no
// FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token + lane];
  const bool known = id >= 0 && id < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};
// END: gather_row
