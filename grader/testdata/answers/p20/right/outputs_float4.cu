// STYLE: four outputs side by side for each thread: float4 loads of the weight and float4 stores of out where they are aligned
// FILL ME IN: fused_output (roughly 15 lines)
  const int thread = threadIdx.y * kTile + threadIdx.x, y = thread / 8, x4 = thread % 8 * 4, row = first_row + y;
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      const int h = first_h + x4;
      const float* from = weight + static_cast<size_t>(first_o + y) * hidden + h;
      float4 w = {0.0f, 0.0f, 0.0f, 0.0f};
      if (first_o + y < out_dim && h < hidden) {
        if (hidden % 4 == 0)
          w = __ldg(reinterpret_cast<const float4*>(from));
        else
          w = {from[0], h + 1 < hidden ? from[1] : 0.0f, h + 2 < hidden ? from[2] : 0.0f, h + 3 < hidden ? from[3] : 0.0f};
      }
      tile[y][x4] = w.x, tile[y][x4 + 1] = w.y, tile[y][x4 + 2] = w.z, tile[y][x4 + 3] = w.w;
      __syncthreads();
      for (int k = 0; k < kTile; ++k) {
        const float v = normalized[y * width + first_h + k];
        sum.x += v * tile[x4][k], sum.y += v * tile[x4 + 1][k];
        sum.z += v * tile[x4 + 2][k], sum.w += v * tile[x4 + 3][k];
      }
      __syncthreads();
    }
    const int o = first_o + x4;
    if (row >= rows || o >= out_dim) continue;
    float* to = out + static_cast<size_t>(row) * out_dim + o;
    if (out_dim % 4 == 0) {
      const float4 b = __ldg(reinterpret_cast<const float4*>(bias + o));
      *reinterpret_cast<float4*>(to) = {sum.x + b.x, sum.y + b.y, sum.z + b.z, sum.w + b.w};
    } else {
      const float parts[] = {sum.x, sum.y, sum.z, sum.w};
      for (int j = 0; j < 4; ++j)
        if (o + j < out_dim) to[j] = parts[j] + bias[o + j];
    }
  }
// END: fused_output
