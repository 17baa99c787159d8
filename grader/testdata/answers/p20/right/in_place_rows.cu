// STYLE: x is read once into shared memory and normalised there in place, four neighbouring rows a warp; the product reads float4 and starts its sums with the bias
// FILL ME IN: fused_stats (roughly 13 lines)
  const int lane = threadIdx.x, warp = threadIdx.y;
  for (int y = warp * kEach; y < (warp + 1) * kEach; ++y) {
    float* mine = normalized + y * width;
    if (first_row + y >= rows) {  // the same for the whole warp
      for (int h = lane; h < width; h += 32) mine[h] = 0.0f;
      continue;
    }
    const float* from = x + static_cast<size_t>(first_row + y) * hidden;
    float s = 0.0f, q = 0.0f;
    for (int h = lane; h < width; h += 32) {
      const float v = h < hidden ? __ldg(from + h) : 0.0f;
      mine[h] = v;
      s += v;
    }
    // Each lane comes back to its own words only: no barrier.
    const float mean = warp_sum(s) / static_cast<float>(hidden);
    for (int h = lane; h < hidden; h += 32) {
      const float d = mine[h] - mean;
      mine[h] = d;
      q = fmaf(d, d, q);
    }
    const float rstd = 1.0f / sqrtf(warp_sum(q) / static_cast<float>(hidden) + eps);
    for (int h = lane; h < hidden; h += 32) mine[h] = fmaf(mine[h] * rstd, __ldg(gamma + h), __ldg(beta + h));
  }
// END: fused_stats
// FILL ME IN: fused_output (roughly 15 lines)
  for (int o0 = 0; o0 < out_dim; o0 += kTile) {
    const int o = o0 + lane;
    const float b = o < out_dim ? bias[o] : 0.0f;
    float acc[kEach];
#pragma unroll
    for (int i = 0; i < kEach; ++i) acc[i] = b;
    for (int h0 = 0; h0 < width; h0 += kTile) {
      load_weight(tile, weight, o0, h0, out_dim, hidden);
      __syncthreads();
#pragma unroll
      for (int k = 0; k < kTile; k += 4) {
        const float w0 = tile[lane][k], w1 = tile[lane][k + 1];
        const float w2 = tile[lane][k + 2], w3 = tile[lane][k + 3];
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
          const float4 v =
              *reinterpret_cast<const float4*>(normalized + (warp + kStep * i) * width + h0 + k);
          acc[i] = fmaf(v.x, w0, acc[i]);
          acc[i] = fmaf(v.y, w1, acc[i]);
          acc[i] = fmaf(v.z, w2, acc[i]);
          acc[i] = fmaf(v.w, w3, acc[i]);
        }
      }
      __syncthreads();
    }
    float* to = out + static_cast<size_t>(first_row + warp) * out_dim + o;
    for (int i = 0; i < kEach; ++i, to += static_cast<size_t>(kStep) * out_dim)
      if (o < out_dim && first_row + warp + kStep * i < rows) *to = acc[i];
  }
// END: fused_output
