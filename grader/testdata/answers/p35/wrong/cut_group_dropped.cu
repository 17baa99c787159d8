// ENTRY: kernel
// CLASS: tail
// CAUSE: store: where rows are aligned a group of four is stored only if all four lie on or below the diagonal (j + 3 <= i). The group that the diagonal cuts through is dropped, and the last one to three results of each row, the diagonal with them, are never written (except in rows with i % 4 == 3).
// SAYS: diagonal
// SAYS: never written|groups?
// NEVER: heads
// NEVER: \brace\b
// HELD: no
// FILL ME IN: products (roughly 10 lines)
#pragma unroll 1
  for (int p = 0; p < pieces; ++p) {
    float4 queries[kEach];
#pragma unroll
    for (int a = 0; a < kEach; ++a) queries[a] = q_row[a][p];
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const float4 key = k_row[b][p];
#pragma unroll
      for (int a = 0; a < kEach; ++a) sum[a][b] += dot(queries[a], key);
    }
  }
// END: products
// FILL ME IN: store (roughly 14 lines)
  const bool rows_aligned = (positions & 3) == 0;
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    const int i = first_i + a;
    if (i >= positions) continue;
    float* const row = scores + static_cast<size_t>(i) * positions;
#pragma unroll
    for (int b = 0; b < kEach; b += 4) {
      const int j = first_j + b;
      if (rows_aligned) {
        if (j + 3 <= i)
          *reinterpret_cast<float4*>(row + j) = make_float4(sum[a][b] * scale, sum[a][b + 1] * scale,
                                                            sum[a][b + 2] * scale, sum[a][b + 3] * scale);
      } else {
#pragma unroll
        for (int n = 0; n < 4; ++n)
          if (j + n <= i) row[j + n] = sum[a][b + n] * scale;
      }
    }
  }
// END: store
