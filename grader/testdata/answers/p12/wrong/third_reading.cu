// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The mean has a pass of its own: x is read three times where two are enough.
// SAYS: \bx\b
// SAYS: 3|three|times|again|pass|more|read
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced
// HELD: yes
// FILL ME IN: statistics (roughly 9 lines)
  Moments m{0.0f, 0.0f, 0.0f};
  for (int c = threadIdx.x; c < columns; c += kThreads) m = with_value(m, x_row[c]);
  m = block_moments(m);
  __shared__ float again;
  if (threadIdx.x == 0) again = 0.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c] - m.mean;
  atomicAdd(&again, sum);
  __syncthreads();
  row_mean = m.mean + again / columns;
  row_rstd = rsqrtf(m.squares / columns + eps);
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = row_mean;
    rstd[blockIdx.x] = row_rstd;
  }
// END: statistics
