// ENTRY: kernel
// CLASS: missing-term
// CAUSE: rstd is 1 / (variance + eps): no root.
// SAYS: root|sqrt|rsqrt|rstd
// SAYS: root|sqrt|square|once more|left out
// NEVER: \brace\b|without (gamma|beta)
// HELD: no
// FILL ME IN: row_rstd (roughly 4 lines)
  const float m = mean[blockIdx.x];
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) squares += (x_row[c] - m) * (x_row[c] - m);
  squares = block_sum(squares);
  if (threadIdx.x == 0) rstd[blockIdx.x] = 1.0f / (squares / columns + eps);
// END: row_rstd
