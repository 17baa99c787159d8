// ENTRY: kernel
// CLASS: over-budget
// CAUSE: `row_rstd` and `normalize` add up the row again instead of reading the mean that is there: x is asked for five times, not three.
// SAYS: \bx\b
// SAYS: passes|times|\bagain\b|read
// NEVER: extra launch|uncoalesced|not coalesced|wrong (answer|result|value)
// HELD: no
// FILL ME IN: row_rstd (roughly 5 lines)
  float sum = 0.0f, squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  const float m = block_sum(sum) / columns;
  for (int c = threadIdx.x; c < columns; c += kThreads) squares += (x_row[c] - m) * (x_row[c] - m);
  squares = block_sum(squares);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(squares / columns + eps);
// END: row_rstd
// FILL ME IN: normalize (roughly 3 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  const float m = block_sum(sum) / columns, s = rstd[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = (x_row[c] - m) * s * gamma[c] + beta[c];
// END: normalize
