// ENTRY: fused
// CLASS: missing-term
// CAUSE: The lanes' parts of a dot product are never added up: lane 0 stores its own (h = 0, 32, 64, ...).
// SAYS: lane|warp_sum|warp|\bpart|\b32 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 32(?![.,]?\d)(?! of)|fused_output
// SAYS: lane|warp_sum|reduc|sum|\badd(ed|s|ing)?\b|\bpart|h = 0
// NEVER: without (gamma|beta|bias)|\brace\b
// HELD: no
// FILL ME IN: fused_output (roughly 10 lines)
  const int lane = threadIdx.x % 32;
  for (int o = threadIdx.x / 32; o < out_dim; o += kWarps) {
    const float* weight_row = weight + static_cast<size_t>(o) * hidden;
    float dot = 0.0f;
    for (int h = lane; h < hidden; h += 32) dot += normalized[h] * weight_row[h];
    if (lane == 0) out_row[o] = dot + bias[o];
  }
// END: fused_output
