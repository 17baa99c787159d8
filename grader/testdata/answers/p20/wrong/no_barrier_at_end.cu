// ENTRY: fused
// CLASS: race
// CAUSE: The barrier at the end of `fused_stats` is missing: warps read columns of `normalized` that others have not written yet.
// SAYS: __syncthreads|barrier|race
// SAYS: normalized|shared|fused_stats
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp|__activemask|without (gamma|beta)
// HELD: yes
// FILL ME IN: fused_stats (roughly 10 lines)
  float s = 0.0f, q = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) s += x_row[h];
  const float mean = block_sum(s) / hidden;
  for (int h = threadIdx.x; h < hidden; h += kThreads) q += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf(block_sum(q) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads)
    normalized[h] = (x_row[h] - mean) * rstd * gamma[h] + beta[h];
// END: fused_stats
