// ENTRY: kernel
// CLASS: tail
// CAUSE: The loop over the squares begins at threadIdx.x + 1: column 0 is left out of the variance.
// SAYS: rstd|variance|square
// SAYS: column 0|first|all but|from 1|left out
// NEVER: \brace\b|without (gamma|beta)|N ?- ?1
// HELD: no
// FILL ME IN: row_rstd (roughly 4 lines)
  const float m = mean[blockIdx.x];
  float squares = 0.0f;
  for (int c = threadIdx.x + 1; c < columns; c += kThreads) squares += (x_row[c] - m) * (x_row[c] - m);
  squares = block_sum(squares);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(squares / columns + eps);
// END: row_rstd
