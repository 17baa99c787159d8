// ENTRY: fused
// CLASS: missing-term
// CAUSE: The sums are set to 0 once and not for each tile of outputs: from output 32 on, the sums of the tiles before are added in.
// SAYS: \bsums?\b|added|tile
// SAYS: reset|set to 0|begin|anew|earlier|before|previous|carried|never cleared|last tile|zero|again
// NEVER: without (gamma|beta|bias)
// NEVER: \brace\b
// HELD: no
// FILL ME IN: fused_output (roughly 15 lines)
  float dot[kEach] = {};
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    for (int first_h = 0; first_h < width; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
      __syncthreads();
      for (int i = 0; i < kEach; ++i) {
        const float* row = normalized + (threadIdx.y + kStep * i) * width + first_h;
        for (int k = 0; k < kTile; ++k) dot[i] += row[k] * tile[threadIdx.x][k];
      }
      __syncthreads();
    }
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + kStep * i;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = dot[i] + bias[o];
    }
  }
// END: fused_output
