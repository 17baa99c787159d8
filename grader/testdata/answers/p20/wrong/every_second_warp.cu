// ENTRY: fused
// CLASS: tail
// CAUSE: The loop over o advances by 2 * kWarps: every second group of four outputs is never written.
// SAYS: \bout\b|output|\bo\b
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|second|half|stride|step|\b8 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 8(?![.,]?\d)(?! of)
// NEVER: \brace\b|without (gamma|beta|bias)|cudaMemset
// HELD: yes
// FILL ME IN: fused_output (roughly 10 lines)
  const int lane = threadIdx.x % 32;
  for (int o = threadIdx.x / 32; o < out_dim; o += 2 * kWarps) {
    const float* weight_row = weight + static_cast<size_t>(o) * hidden;
    float dot = 0.0f;
    for (int h = lane; h < hidden; h += 32) dot += normalized[h] * weight_row[h];
    dot = warp_sum(dot);
    if (lane == 0) out_row[o] = dot + bias[o];
  }
// END: fused_output
