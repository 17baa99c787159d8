// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The loops end at the last row, which is known only at run time: the sums lie in local memory.
// SAYS: local memory|registers
// SAYS: index|unroll|constant|local
// NEVER: \brace\b|barrier|uninitiali
// HELD: yes
// FILL ME IN: products (roughly 8 lines)
  const int rows = min(kEach, positions - first_i);
  for (int c = 0; c < channels; ++c) {
    for (int a = 0; a < rows; ++a)
#pragma unroll 1
      for (int b = 0; b < kEach; ++b) sum[a][b] += q_row[a][c] * k_row[b][c];
  }
// END: products
