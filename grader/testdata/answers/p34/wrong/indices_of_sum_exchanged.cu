// ENTRY: kernel
// CLASS: index
// CAUSE: sum[b][a] in the place of sum[a][b]: each square is transposed.
// SAYS: square|sum|row|column|products|store
// SAYS: exchang|transpos|swap|products|store
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: products (roughly 8 lines)
  for (int c = 0; c < channels; ++c) {
    float of_q[kEach], of_k[kEach];
#pragma unroll
    for (int n = 0; n < kEach; ++n) of_q[n] = q_row[n][c], of_k[n] = k_row[n][c];
#pragma unroll
    for (int a = 0; a < kEach; ++a)
#pragma unroll
      for (int b = 0; b < kEach; ++b) sum[b][a] += of_q[a] * of_k[b];
  }
// END: products
