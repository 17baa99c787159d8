// ENTRY: kernel
// CLASS: missing-term
// CAUSE: `row_mean` never adds up the threads: thread 0 stores its own part of the sum.
// SAYS: \bmean\b
// SAYS: block_sum|thread 0|\bown\b|\bpart|other threads|reduc|every 256th|one (thread|lane)|row_mean
// NEVER: \brace\b|eps (is )?(missing|outside|inside|left out)|without eps
// HELD: no
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;
// END: row_mean
