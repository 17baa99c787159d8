// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: id == vocabulary counts as known (<= instead of <): one row too many.
// SAYS: table|vocabulary|<=|\bids?\b
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|<=|\bone\b|vocabulary
// NEVER: \brace\b|misaligned|grid (is )?too
// HELD: no
// FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token];
  const bool known = 0 <= id && id <= vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * pieces + piece] : Piece{};
// END: gather_row
