// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Query and key are added and not multiplied.
// SAYS: \bq\b|\bk\b|of_q|product
// SAYS: add|\+|sum|times|multipl
// NEVER: \brace\b|barrier|uninitiali
// HELD: yes
  // FILL ME IN: products (roughly 8 lines)
  for (int c = 0; c < channels; ++c) {
    float of_q[kEach], of_k[kEach];
#pragma unroll
    for (int n = 0; n < kEach; ++n) of_q[n] = q_row[n][c], of_k[n] = k_row[n][c];
#pragma unroll
    for (int a = 0; a < kEach; ++a)
#pragma unroll
      for (int b = 0; b < kEach; ++b) sum[a][b] += of_q[a] + of_k[b];
  }
  // END: products
