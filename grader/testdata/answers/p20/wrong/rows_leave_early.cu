// ENTRY: fused
// CLASS: barrier
// CAUSE: Warps without a position return before the barriers of `fused_output`, and their part of the weight is never loaded.
// SAYS: barrier|__syncthreads|return|load_weight|tile
// SAYS: threads|warps?|left|return|\ball\b|\bsome\b|diverg|reach|wait|exit|never (been )?written
// NEVER: __activemask
// NEVER: without (gamma|beta|bias)
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp
// HELD: no
// FILL ME IN: fused_stats (roughly 13 lines)
  if (first_row + threadIdx.y >= rows) return;  // nothing to do for this warp
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (x_row[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
// END: fused_stats
