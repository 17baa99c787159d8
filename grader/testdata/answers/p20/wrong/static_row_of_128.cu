// ENTRY: fused
// CLASS: out-of-bounds
// CAUSE: The rows are kept in a static array of 32 x 128 floats; longer ones run past its end.
// SAYS: shared|kept
// SAYS: out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|\b4096\b|\b16384\b|16 KiB|too small|\b128 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|positions?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 128(?![.,]?\d)(?! of)
// NEVER: \brace\b|without (gamma|beta|bias)
// HELD: no
// FILL ME IN: fused_stats (roughly 13 lines)
  __shared__ float kept[kTile * 128];
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < width; h += 32)
      s += kept[y * width + h] = h < count ? x[static_cast<size_t>(first_row + y) * hidden + h] : 0.0f;
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (kept[y * width + h] - mean) * (kept[y * width + h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (kept[y * width + h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
// END: fused_stats
