// ENTRY: kernel
// CLASS: missing-term
// CAUSE: eps is added to the reciprocal root instead of under it.
// SAYS: \beps
// SAYS: root|sqrt|outside|after|behind|under|added
// NEVER: (without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)|(exactly this|divided by).*N ?- ?1|\brace\b
// HELD: no
// FILL ME IN: row_rstd (roughly 5 lines)
  const float m = mean[blockIdx.x];
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) squares += (x_row[c] - m) * (x_row[c] - m);
  squares = block_sum(squares);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(squares / columns) + eps;
// END: row_rstd
