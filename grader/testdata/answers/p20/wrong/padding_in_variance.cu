// ENTRY: fused
// CLASS: tail
// CAUSE: The variance is taken over the padding too: each of its zeros adds mean^2.
// SAYS: varian|LayerNorm
// SAYS: padd|zeros?|beyond|past
// NEVER: without (gamma|beta|bias)
// NEVER: \brace\b
// NEVER: never (been )?written
// HELD: no
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    float* row = normalized + y * width;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < width; h += 32) {
      row[h] = h < count ? x[static_cast<size_t>(first_row + y) * hidden + h] : 0.0f;
      s += row[h];
    }
    const float mean = warp_sum(s) / hidden;
    for (int h = threadIdx.x; h < width; h += 32) q += (row[h] - mean) * (row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32) row[h] = h < count ? (row[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
// END: fused_stats
