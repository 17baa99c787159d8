// ENTRY: fused
// CLASS: barrier
// CAUSE: __syncthreads() stands inside the loop over columns, which threads run a different number of times.
// SAYS: barrier|__syncthreads
// SAYS: loop|diverg|\ball\b|\bsome\b|different|threads|reach
// NEVER: __activemask|without (gamma|beta)|(put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp
// HELD: yes
// FILL ME IN: fused_stats (roughly 10 lines)
  float s = 0.0f, q = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) s += x_row[h];
  const float mean = block_sum(s) / hidden;
  for (int h = threadIdx.x; h < hidden; h += kThreads) q += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf(block_sum(q) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads) {
    normalized[h] = (x_row[h] - mean) * rstd * gamma[h] + beta[h];
    __syncthreads();
  }
// END: fused_stats
