// ENTRY: fused
// CLASS: missing-term
// CAUSE: The mean is subtracted twice: the stored value is x - mean already, and it is subtracted again.
// SAYS: \bmean\b|fused_stats
// SAYS: twice|\bagain\b|two times|second|\b2 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 2(?![.,]?\d)(?! of)|fused_stats
// NEVER: without (gamma|beta|bias)|\brace\b|never (been )?written
// HELD: yes
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
