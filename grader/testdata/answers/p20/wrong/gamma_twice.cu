// ENTRY: unfused
// CLASS: missing-term
// CAUSE: gamma is multiplied in twice.
// SAYS: gamma
// SAYS: twice|once more|again|two times|squared|\^2
// NEVER: \brace\b|bias (is )?(missing|not added)|without (the )?bias
// HELD: no
// FILL ME IN: layernorm (roughly 4 lines)
  float sum = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) sum += x_row[h];
  const float mean = block_sum(sum) / hidden;
  float squares = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) squares += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf(block_sum(squares) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads)
    normalized_row[h] = (x_row[h] - mean) * rstd * gamma[h] * gamma[h] + beta[h];
// END: layernorm
