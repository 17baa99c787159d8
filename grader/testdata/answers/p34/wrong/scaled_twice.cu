// ENTRY: kernel
// CLASS: scaling
// CAUSE: Scale applied to q and again to the result.
// SAYS: HS|root|scale|sqrt
// NEVER: in store|\brace\b|barrier
// HELD: no
  // FILL ME IN: products (roughly 8 lines)
  for (int c = 0; c < channels; ++c) {
    float qs[kEach], ks[kEach];
#pragma unroll
    for (int n = 0; n < kEach; ++n) {
      qs[n] = q_row[n][c] * scale;
      ks[n] = k_row[n][c];
    }
#pragma unroll
    for (int a = 0; a < kEach; ++a)
#pragma unroll
      for (int b = 0; b < kEach; ++b) sum[a][b] += qs[a] * ks[b];
  }
  // END: products
