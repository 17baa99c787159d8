// ENTRY: kernel
// CLASS: scaling
// CAUSE: The mean divides by N + 1.
// SAYS: mean
// SAYS: N`? ?\+ ?1|\+ 1|one too|factor
// NEVER: \brace\b|without (gamma|beta)
// HELD: no
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  sum = block_sum(sum);
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / (columns + 1);
// END: row_mean
