// ENTRY: kernel
// CLASS: index
// CAUSE: A row is taken to be `vocabulary` pieces long: id * vocabulary instead of id * pieces.
// SAYS: table|vocabulary|pieces|index|pitch
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|index|vocabulary|pitch|stride|wrong row|other row|column
// NEVER: \brace\b|misaligned
// HELD: yes
// FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token];
  const bool known = id >= 0 && id < vocabulary;
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = known ? table[static_cast<long>(id) * vocabulary + piece] : Piece{};
// END: gather_row
