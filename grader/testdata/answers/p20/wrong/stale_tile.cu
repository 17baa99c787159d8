// ENTRY: fused
// CLASS: control-flow
// CAUSE: The tile of the weight is loaded once for 32 outputs, not for each 32 values of h: rows longer than 32 are multiplied with the first 32 weights again and again.
// SAYS: weight|tile
// SAYS: loaded|load_weight|again|stale|first (tile|part)|one tile|\b32 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 32(?![.,]?\d)(?! of)
// NEVER: without (gamma|beta|bias)
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    float dot[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      if (first_h == 0) load_weight(tile, weight, first_o, first_h, out_dim, hidden);
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
