// ENTRY: fused
// CLASS: uninitialised
// CAUSE: The sums are not set to 0 anew for each tile of outputs.
// SAYS: not set|anew|before
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: fused_output (roughly 15 lines)
  float sum[kEach] = {};
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    for (int first_h = 0; first_h < hidden; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
      __syncthreads();
      for (int h = 0; h < kTile; ++h)
        for (int i = 0; i < kEach; ++i)
          sum[i] += normalized[(threadIdx.y + i * kStep) * width + first_h + h] * tile[threadIdx.x][h];
      __syncthreads();
    }
    const int o = first_o + threadIdx.x;
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + i * kStep;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = sum[i] + bias[o];
    }
  }
  // END: fused_output
