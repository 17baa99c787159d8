// ENTRY: fused
// CLASS: index
// CAUSE: The bias is indexed by the warp, not by the output: bias[threadIdx.x / 32].
// SAYS: bias
// SAYS: warp|index|threadIdx|\bfour\b|\b4 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 4(?![.,]?\d)(?! of)|first|shift|fused_output
// NEVER: without (the )?bias|bias (is )?missing|\brace\b
// HELD: no
// FILL ME IN: fused_output (roughly 10 lines)
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int o = warp; o < out_dim; o += kWarps) {
    const float* weight_row = weight + static_cast<size_t>(o) * hidden;
    float dot = 0.0f;
    for (int h = lane; h < hidden; h += 32) dot += normalized[h] * weight_row[h];
    dot = warp_sum(dot);
    if (lane == 0) out_row[o] = dot + bias[warp < out_dim ? warp : 0];
  }
// END: fused_output
