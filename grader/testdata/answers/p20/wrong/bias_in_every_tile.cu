// ENTRY: fused
// CLASS: missing-term
// CAUSE: The bias is added in the loop over h: once for each tile of 32 values of h, not once.
// SAYS: bias
// SAYS: times|each tile|every tile|more than once|several|twice|again|for each|loop|too often
// NEVER: without (the )?bias|bias (is )?missing|\brace\b
// HELD: no
// FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    float dot[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
      __syncthreads();
      for (int i = 0; i < kEach; ++i) {
        const float* row = normalized + (threadIdx.y + kStep * i) * width + first_h;
        for (int k = 0; k < kTile; ++k) dot[i] += row[k] * tile[threadIdx.x][k];
        if (o < out_dim) dot[i] += bias[o];
      }
      __syncthreads();
    }
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + kStep * i;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = dot[i];
    }
  }
// END: fused_output
