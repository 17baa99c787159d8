// ENTRY: fused
// CLASS: uninitialised
// CAUSE: Columns from H to width, and rows that do not exist, are never set to 0, but the product reads them.
// SAYS: shared|normalized
// SAYS: never (been )?written|uninitiali|nobody|zero|not written|unwritten|padd
// NEVER: without (gamma|beta|bias)
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < count; h += 32)
      normalized[y * width + h] = (x_row[h] - mean) * rstd * gamma[h] + beta[h];
  }
// END: fused_stats
