// STYLE: the queries kept and the keys one by one; float4, float2 or float stores, as T allows
// FILL ME IN: products (roughly 10 lines)
#pragma unroll 2
  for (int p = 0; p < pieces; ++p) {
    float4 kept[kEach];
    for (int a = 0; a < kEach; ++a) kept[a] = __ldg(q_row[a] + p);
    for (int b = 0; b < kEach; ++b) {
      const float4 key = __ldg(k_row[b] + p);
      for (int a = 0; a < kEach; ++a) sum[a][b] += dot(key, kept[a]);
    }
  }
// END: products
// FILL ME IN: store (roughly 14 lines)
  const int unit = positions % 4 == 0 ? 4 : positions % 2 == 0 ? 2 : 1;
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    if (first_i + a >= positions) continue;
    float* row = scores + static_cast<size_t>(first_i + a) * positions + first_j;
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      if (first_j + b >= positions || b % unit != 0) continue;
      if (unit == 4) *reinterpret_cast<float4*>(row + b) = make_float4(sum[a][b] * scale, sum[a][(b + 1) % 8] * scale,
                                                 sum[a][(b + 2) % 8] * scale, sum[a][(b + 3) % 8] * scale);
      if (unit == 2)
        *reinterpret_cast<float2*>(row + b) = make_float2(sum[a][b] * scale, sum[a][(b + 1) % 8] * scale);
      if (unit == 1) row[b] = sum[a][b] * scale;
    }
  }
// END: store
