// ENTRY: fused
// CLASS: tail
// CAUSE: There is no loop over o: four warps write outputs 0 to 3 and nobody the rest.
// SAYS: \bout\b|output|\bo\b
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|\b4 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 4(?![.,]?\d)(?! of)|\bfour\b|loop|warp
// NEVER: \brace\b|without (gamma|beta|bias)|cudaMemset
// HELD: no
// FILL ME IN: fused_output (roughly 10 lines)
  const int o = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (o < out_dim) {
    float dot = 0.0f;
    for (int h = lane; h < hidden; h += 32) dot += normalized[h] * weight[static_cast<size_t>(o) * hidden + h];
    dot = warp_sum(dot);
    if (lane == 0) out_row[o] = dot + bias[o];
  }
// END: fused_output
