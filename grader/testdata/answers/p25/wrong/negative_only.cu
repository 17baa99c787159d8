// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Only negative ids are refused; vocabulary and above still read past the table.
// SAYS: table|\bids?\b|vocabulary
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|vocabulary|too large|not .*(allocation|memory)|compare
// NEVER: \brace\b|misaligned|grid (is )?too
// HELD: yes
// FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token];
  for (int piece = lane; piece < pieces; piece += kWarp)
    out[token * pieces + piece] = id < 0 ? Piece{} : table[static_cast<long>(id) * pieces + piece];
// END: gather_row
