// ENTRY: fused
// CLASS: out-of-bounds
// CAUSE: The last tile reads rows of x that do not exist.
// SAYS: \bx\b
// SAYS: out.of.bounds|past (the|its) end|beyond|outside|past the|bounds|no such|do(es)? not exist
// NEVER: without (gamma|beta|bias)
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = hidden;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (x_row[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
// END: fused_stats
