// ENTRY: unfused
// CLASS: missing-term
// CAUSE: This is RMSNorm: the mean is never subtracted, neither in the variance nor in the result.
// SAYS: \bmean\b|RMSNorm
// SAYS: missing|without|lacks|left out|not (added|applied|read|used)|never (added|applied|read|used)|unused|forg[oe]t|omit|minus|less|difference|RMSNorm|subtract|centr
// NEVER: without (gamma|beta)|\brace\b
// HELD: yes
// FILL ME IN: layernorm (roughly 11 lines)
  float squares = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) squares += x_row[h] * x_row[h];
  const float rstd = rsqrtf(block_sum(squares) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads) normalized_row[h] = x_row[h] * rstd * gamma[h] + beta[h];
// END: layernorm
