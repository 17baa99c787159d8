// ENTRY: unfused
// CLASS: barrier
// CAUSE: Only threads with a column call block_sum.
// SAYS: barrier
// SAYS: return|left
// NEVER: \brace\b|tail|gamma
// HELD: yes
  // FILL ME IN: layernorm (roughly 9 lines)
  if (threadIdx.x >= hidden) return;
  float sum = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) sum += x_row[h];
  const float mean = block_sum(sum) / hidden;
  float squares = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) squares += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf(block_sum(squares) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads)
    normalized_row[h] = (x_row[h] - mean) * rstd * gamma[h] + beta[h];
  // END: layernorm
