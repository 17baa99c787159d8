// STYLE: all sums in double, the product's too
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const int count = first_row + y < rows ? hidden : 0;
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const auto over_lanes = [](double v) {
      for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
      return v;
    };
    double sum = 0, squares = 0;
    for (int h = threadIdx.x; h < count; h += 32) sum += x_row[h];
    const double mean = over_lanes(sum) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) squares += (x_row[h] - mean) * (x_row[h] - mean);
    const double rstd = 1 / sqrt(over_lanes(squares) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? static_cast<float>((x_row[h] - mean) * rstd * gamma[h] + beta[h]) : 0.0f;
  }
// END: fused_stats
// FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    double sum[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
      __syncthreads();
      for (int k = 0; k < kTile; ++k)
        for (int i = 0; i < kEach; ++i)
          sum[i] += static_cast<double>(normalized[(threadIdx.y + kStep * i) * width + first_h + k]) * tile[threadIdx.x][k];
      __syncthreads();
    }
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + kStep * i;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = static_cast<float>(sum[i] + bias[o]);
    }
  }
// END: fused_output
