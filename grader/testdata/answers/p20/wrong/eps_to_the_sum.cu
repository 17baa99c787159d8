// ENTRY: unfused
// CLASS: missing-term
// CAUSE: eps is added to the sum of squares before it is divided by H.
// SAYS: \beps
// SAYS: sum|before|divi|instead|H
// NEVER: \brace\b|bias (is )?(missing|not added)|without (the )?bias
// HELD: no
// FILL ME IN: layernorm (roughly 4 lines)
  float sum = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) sum += x_row[h];
  const float mean = block_sum(sum) / hidden;
  float squares = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) squares += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf((block_sum(squares) + eps) / hidden);
  for (int h = threadIdx.x; h < hidden; h += kThreads)
    normalized_row[h] = (x_row[h] - mean) * rstd * gamma[h] + beta[h];
// END: layernorm
