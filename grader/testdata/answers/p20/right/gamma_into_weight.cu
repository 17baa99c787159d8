// STYLE: gamma goes into the weight as it is loaded, and beta becomes a sum over each row of the weight beside the bias
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32) normalized[y * width + h] = h < count ? (x_row[h] - mean) * rstd : 0.0f;
  }
// END: fused_stats
// FILL ME IN: fused_output (roughly 15 lines)
  __shared__ float shift[kTile];
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    float sum[kEach] = {}, part[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      const int h = first_h + threadIdx.x;
      const float scale = h < hidden ? gamma[h] : 0.0f, offset = h < hidden ? beta[h] : 0.0f;
      for (int i = 0; i < kEach; ++i) {
        const int y = threadIdx.y + kStep * i;
        const float w = first_o + y < out_dim && h < hidden ? weight[static_cast<size_t>(first_o + y) * hidden + h] : 0.0f;
        tile[y][threadIdx.x] = w * scale;
        part[i] += w * offset;
      }
      __syncthreads();
      for (int k = 0; k < kTile; ++k)
        for (int i = 0; i < kEach; ++i)
          sum[i] += normalized[(threadIdx.y + kStep * i) * width + first_h + k] * tile[threadIdx.x][k];
      __syncthreads();
    }
    for (int i = 0; i < kEach; ++i) {
      part[i] = warp_sum(part[i]);
      if (threadIdx.x == 0) shift[threadIdx.y + kStep * i] = part[i];
    }
    __syncthreads();
    const int o = first_o + threadIdx.x;
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + kStep * i;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = sum[i] + shift[threadIdx.x] + bias[o];
    }
  }
// END: fused_output
