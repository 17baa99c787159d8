// ENTRY: kernel
// CLASS: pointer
// CAUSE: Ks loaded from q_row.
// SAYS: quer|q\b|keys?|k is never
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: products (roughly 8 lines)
  for (int c = 0; c < channels; ++c) {
    float qs[kEach], ks[kEach];
#pragma unroll
    for (int n = 0; n < kEach; ++n) {
      qs[n] = q_row[n][c];
      ks[n] = q_row[n][c];
    }
#pragma unroll
    for (int a = 0; a < kEach; ++a)
#pragma unroll
      for (int b = 0; b < kEach; ++b) sum[a][b] += qs[a] * ks[b];
  }
  // END: products
