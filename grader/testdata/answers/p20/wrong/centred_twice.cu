// ENTRY: fused
// CLASS: missing-term
// CAUSE: The mean is subtracted twice: the stored value is x - mean already, and it is subtracted again.
// SAYS: mean|fused_stats
// SAYS: twice|again|two times|second|2|fused_stats
// NEVER: without (gamma|beta|bias)|\brace\b|never (been )?written
// HELD: no
// FILL ME IN: fused_stats (roughly 10 lines)
  float s = 0.0f, q = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) s += x_row[h];
  const float mean = block_sum(s) / hidden;
  for (int h = threadIdx.x; h < hidden; h += kThreads) {
    normalized[h] = x_row[h] - mean;
    q += normalized[h] * normalized[h];
  }
  const float rstd = rsqrtf(block_sum(q) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads)
    normalized[h] = (normalized[h] - mean) * rstd * gamma[h] + beta[h];
  __syncthreads();
// END: fused_stats
