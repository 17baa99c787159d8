// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The deviations are summed without being squared: |x - mean| instead of its square.
// SAYS: rstd|row_rstd
// SAYS: squar|\babs\b|deviation|row_rstd
// NEVER: (without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)|(exactly this|divided by).*N ?- ?1|eps (is )?(missing|outside|inside|left out)|without eps
// HELD: no
// FILL ME IN: row_rstd (roughly 5 lines)
  const float m = mean[blockIdx.x];
  float deviation = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) deviation += fabsf(x_row[c] - m);
  deviation = block_sum(deviation);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(deviation / columns + eps);
// END: row_rstd
