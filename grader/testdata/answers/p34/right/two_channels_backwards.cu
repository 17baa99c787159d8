// STYLE: channels from the last one on, two at a time, kept apart in two sums until the end
// FILL ME IN: products (roughly 8 lines)
  float other[kEach][kEach] = {};
  for (int c = channels - 2; c >= 0; c -= 2) {
    float2 of_q[kEach];
#pragma unroll
    for (int a = 0; a < kEach; ++a) of_q[a] = *reinterpret_cast<const float2*>(q_row[a] + c);
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const float2 of_k = *reinterpret_cast<const float2*>(k_row[b] + c);
#pragma unroll
      for (int a = 0; a < kEach; ++a) sum[a][b] += of_q[a].x * of_k.x, other[a][b] += of_q[a].y * of_k.y;
    }
  }
// END: products
// FILL ME IN: store (roughly 7 lines)
  const int rows = min(kEach, positions - first_i);
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    if (a >= rows) break;
    float* row = scores + static_cast<size_t>(first_i + a) * positions;
#pragma unroll
    for (int b = 0; b < kEach; ++b)
      if (first_j + b < positions) row[first_j + b] = (sum[a][b] + other[a][b]) * scale;
  }
// END: store
