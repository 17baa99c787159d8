// ENTRY: unfused
// CLASS: missing-term
// CAUSE: beta is subtracted.
// SAYS: beta
// SAYS: subtract|sign|minus|-
// NEVER: \brace\b|bias (is )?(missing|not added)|without (the )?bias|beta (is )?missing
// HELD: no
// FILL ME IN: layernorm (roughly 4 lines)
  float sum = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) sum += x_row[h];
  const float mean = block_sum(sum) / hidden;
  float squares = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) squares += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf(block_sum(squares) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads)
    normalized_row[h] = (x_row[h] - mean) * rstd * gamma[h] - beta[h];
// END: layernorm
