// ENTRY: fused
// CLASS: missing-term
// CAUSE: Two mistakes in two blanks: eps is added outside the root, and the bias twice.
// SAYS: fused_stats.*eps
// SAYS: fused_output.*bias
// NEVER: \brace\b
// HELD: no
// FILL ME IN: fused_stats (answer)
  for (int y = threadIdx.y; y < kTile; y += kStep) {  // a warp for each position
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float sum = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) sum += x_row[h];
    const float mean = warp_sum(sum) / hidden;
    float squares = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) squares += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = 1.0f / (sqrtf(warp_sum(squares) / hidden) + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (x_row[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
// END: fused_stats
// FILL ME IN: fused_output (answer)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    float sum[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
      __syncthreads();  // other warps are about to read what this one wrote
      for (int k = 0; k < kTile; ++k)
        for (int i = 0; i < kEach; ++i)
          sum[i] += normalized[(threadIdx.y + kStep * i) * width + first_h + k] * tile[threadIdx.x][k];
      __syncthreads();  // the next tile of the weight goes where this one was
    }
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + kStep * i;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = sum[i] + bias[o] + bias[o];
    }
  }
// END: fused_output
