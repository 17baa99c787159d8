// ENTRY: fused
// CLASS: missing-term
// CAUSE: The lanes' parts of the mean are never added up: each lane takes its own (h = lane, lane + 32, ...).
// SAYS: lane|warp_sum|warp|\bpart|\bmean\b|fused_stats
// SAYS: lane|warp_sum|reduc|sum|\badd(ed|s|ing)?\b|\bpart|\bown\b
// NEVER: without (gamma|beta|bias)|\brace\b
// HELD: no
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = s / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (x_row[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
// END: fused_stats
