// ENTRY: fused
// CLASS: tail
// CAUSE: There is no loop over the outputs: a block writes outputs 0 to 31 of its rows and nobody the rest.
// SAYS: \bout\b|output|\bo\b
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|\b32 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 32(?![.,]?\d)(?! of)|loop|tile
// NEVER: \brace\b|without (gamma|beta|bias)|cudaMemset
// HELD: no
// FILL ME IN: fused_output (roughly 15 lines)
  const int o = threadIdx.x;
  float dot[kEach] = {};
  for (int first_h = 0; first_h < width; first_h += kTile) {
    load_weight(tile, weight, 0, first_h, out_dim, hidden);
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      for (int i = 0; i < kEach; ++i) dot[i] += normalized[(threadIdx.y + kStep * i) * width + first_h + k] * tile[o][k];
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y + kStep * i;
    if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = dot[i] + bias[o];
  }
// END: fused_output
