// ENTRY: fused
// CLASS: mask
// CAUSE: The full-mask shuffle stands inside the loop over h, which some lanes leave earlier: the mask names lanes that do not come.
// SAYS: mask|lanes?|shfl|shuffle
// SAYS: loop|mask|not (come|reach|there|take)|exited|left|absent|diverg|\bpart
// NEVER: __activemask|(put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads|without (gamma|beta|bias)
// HELD: yes
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += warp_sum(x_row[h]);
    const float mean = s / hidden;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (x_row[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
// END: fused_stats
