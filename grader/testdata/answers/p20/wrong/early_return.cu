// ENTRY: unfused
// CLASS: barrier
// CAUSE: Threads without a column return before block_sum, whose barriers all threads of the block must reach.
// SAYS: mask|lanes|barrier|__syncthreads|block_sum|return
// SAYS: threads|left|return|\ball\b|\bsome\b|diverg|reach|wait|exit
// NEVER: __activemask|without (gamma|beta)|(put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp
// HELD: no
// FILL ME IN: layernorm (roughly 11 lines)
  if (threadIdx.x >= hidden) return;
  float s = 0.0f, q = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) s += x_row[h];
  const float mean = block_sum(s) / hidden;
  for (int h = threadIdx.x; h < hidden; h += kThreads) q += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf(block_sum(q) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads)
    normalized_row[h] = (x_row[h] - mean) * rstd * gamma[h] + beta[h];
// END: layernorm
