// ENTRY: kernel
// CLASS: scaling
// CAUSE: The branch that stores single floats forgets the factor 1 / sqrt(HS).
// SAYS: HS|scale|factor
// SAYS: sqrt|root|times
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: products (roughly 10 lines)
  for (int p = 0; p < pieces; ++p) {
    float4 qs[kEach];
    for (int a = 0; a < kEach; ++a) qs[a] = q_row[a][p];
    for (int b = 0; b < kEach; ++b) {
      const float4 key = k_row[b][p];
      for (int a = 0; a < kEach; ++a) sum[a][b] += dot(qs[a], key);
    }
  }
  // END: products
  // FILL ME IN: store (roughly 14 lines)
  for (int a = 0; a < kEach && first_i + a < positions; ++a) {
    const int i = first_i + a;
    float* row = scores + static_cast<size_t>(i) * positions;
    for (int g = 0; g < kEach; g += 4) {
      const int j = first_j + g;
      if (j > i) break;
      if (positions % 4 == 0) {
        *reinterpret_cast<float4*>(row + j) = {sum[a][g] * scale, sum[a][g + 1] * scale, sum[a][g + 2] * scale, sum[a][g + 3] * scale};
      } else {
        for (int b = g; b < g + 4; ++b)
          if (first_j + b <= i) row[first_j + b] = sum[a][b];
      }
    }
  }
  // END: store
