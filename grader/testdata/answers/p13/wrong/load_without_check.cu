// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: load_row has no check: pieces past the end of the row, and of x, are loaded.
// SAYS: out.of.bounds|past (the|its) end|beyond|outside|past the
// SAYS: \bx\b|row|piece
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: load_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int piece = thread + i * kGroup;
    kept[i] = x_row[piece];
  }
// END: load_row
