// ENTRY: fused
// CLASS: tail
// CAUSE: The loop over the outputs advances by 2 * kTile: every second tile of 32 outputs is never written.
// SAYS: \bout\b|output|\bo\b
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|second|half|stride|step|\b64 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 64(?![.,]?\d)(?! of)|\b32 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 32(?![.,]?\d)(?! of)
// NEVER: \brace\b|without (gamma|beta|bias)|cudaMemset
// HELD: yes
// FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += 2 * kTile) {
    const int o = first_o + threadIdx.x;
    float dot[kEach] = {};
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
