// ENTRY: fused
// CLASS: precision
// CAUSE: E[x^2] - mean^2 in float: the variance cancels where the mean is large.
// SAYS: E\[x|x\^2|mean\^2|cancel|squares|varian
// SAYS: cancel|digits|large|mean|precis|round|offset
// NEVER: \brace\b|barrier|N ?- ?1
// HELD: yes
// FILL ME IN: fused (roughly 9 lines)
  float sum = 0.0f, sum2 = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    sum += x_row[c];
    sum2 += x_row[c] * x_row[c];
  }
  float mean = block_sum(sum) / columns;
  float var = fmaxf(block_sum(sum2) / columns - mean * mean, 0.0f);
  float rstd = rsqrtf(var + eps);
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = gelu((x_row[c] - mean) * rstd * gamma[c] + beta[c]);
// END: fused
