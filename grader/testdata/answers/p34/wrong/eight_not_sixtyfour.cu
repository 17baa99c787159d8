// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Query n meets key n only; the other products are missing.
// SAYS: key|quer|products|diagonal|column|out|0
// SAYS: same number|alone|only|\b0\b|products|one
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: products (roughly 8 lines)
  for (int c = 0; c < channels; ++c) {
    float of_q[kEach], of_k[kEach];
    for (int n = 0; n < kEach; ++n) {
      of_q[n] = q_row[n][c];
      of_k[n] = k_row[n][c];
      sum[n][n] += of_q[n] * of_k[n];
    }
  }
// END: products
