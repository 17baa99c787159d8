// ENTRY: fused
// CLASS: scaling
// CAUSE: Mean and variance are divided by width, H rounded up to whole tiles, instead of H.
// SAYS: \bmean\b|varian|divi|LayerNorm
// SAYS: `?width`? (for|instead|where)|divi|rounded|padd|whole tiles
// NEVER: without (gamma|beta|bias)
// NEVER: \brace\b
// NEVER: never (been )?written
// HELD: no
// FILL ME IN: fused_stats (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float s = 0.0f, q = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) s += x_row[h];
    const float mean = warp_sum(s) / width;
    for (int h = threadIdx.x; h < count; h += 32) q += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(q) / width + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (x_row[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
// END: fused_stats
