// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Loads inside the innermost loop: each row comes eight times.
// SAYS: read .* times|requested
// NEVER: not coalesced|\brace\b
// HELD: no
  // FILL ME IN: products (roughly 8 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b)
#pragma unroll 1
      for (int c = 0; c < channels; ++c) sum[a][b] += q_row[a][c] * k_row[b][c];
  // END: products
