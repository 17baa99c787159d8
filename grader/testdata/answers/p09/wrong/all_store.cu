// ENTRY: kernel
// CLASS: race
// CAUSE: All threads store the mean, each its own part of the sum; only one may, after block_sum.
// SAYS: race|all threads|every thread|one thread|256 threads|same (element|address)|block_sum
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|__activemask
// HELD: no
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  mean[blockIdx.x] = sum / columns;
// END: row_mean
