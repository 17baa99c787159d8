// ENTRY: fused
// CLASS: index
// CAUSE: gamma and beta are indexed by the lane, not by the column: gamma[threadIdx.x].
// SAYS: gamma|beta
// SAYS: lane|index|threadIdx|column|first|shift|\bh\b|\b32 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 32(?![.,]?\d)(?! of)
// NEVER: without (gamma|beta|bias)(?!\[)
// NEVER: \brace\b
// HELD: no
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (x_row[h] - mean) * rstd * gamma[threadIdx.x] + beta[threadIdx.x] : 0.0f;
  }
// END: fused_stats
