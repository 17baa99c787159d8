// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The id is never compared with 0 and vocabulary: an unknown id reads outside the table.
// SAYS: table|\bids?\b
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|compare|unknown|vocabulary|not .*(allocation|memory)
// NEVER: \brace\b|misaligned|grid (is )?too
// HELD: no
// FILL ME IN: gather_row (roughly 8 lines)
  const long id = ids[token];
  for (int piece = lane; piece < pieces; piece += kWarp) out[token * pieces + piece] = table[id * pieces + piece];
// END: gather_row
