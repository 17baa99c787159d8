// ENTRY: fused
// CLASS: missing-term
// CAUSE: The mean is subtracted twice: the stored value is x - mean already, and it is subtracted again.
// SAYS: \bmean\b|fused_stats
// SAYS: twice|\bagain\b|two times|second|\b2 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 2(?![.,]?\d)(?! of)|fused_stats
// NEVER: without (gamma|beta|bias)|\brace\b|never (been )?written
// HELD: yes
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) {
      normalized[y * width + h] = x_row[h] - mean;
      q += normalized[y * width + h] * normalized[y * width + h];
    }
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (normalized[y * width + h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
// END: fused_stats
