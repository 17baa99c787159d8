// ENTRY: fused
// CLASS: missing-term
// CAUSE: Every lane starts its part of the sum with the bias, so that the warp adds it 32 times.
// SAYS: bias
// SAYS: \b32 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 32(?![.,]?\d)(?! of)|\b31 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 31(?![.,]?\d)(?! of)|times|lanes?|more than once|several
// NEVER: without (the )?bias|bias (is )?missing|\brace\b
// HELD: no
// FILL ME IN: fused_output (roughly 10 lines)
  const int lane = threadIdx.x % 32;
  for (int o = threadIdx.x / 32; o < out_dim; o += kWarps) {
    const float* weight_row = weight + static_cast<size_t>(o) * hidden;
    float dot = bias[o];
    for (int h = lane; h < hidden; h += 32) dot += normalized[h] * weight_row[h];
    dot = warp_sum(dot);
    if (lane == 0) out_row[o] = dot;
  }
// END: fused_output
