// ENTRY: kernel
// CLASS: barrier
// CAUSE: Threads without a column return before the block's barrier.
// SAYS: barrier|__syncthreads|return|exit|left|shuffle|shfl|lanes?|warp
// SAYS: thread|warp|lane|barrier|wait|exit|return
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 9 lines)
  Moments m{0.0f, 0.0f, 0.0f};
  for (int c = threadIdx.x; c < columns; c += kThreads) m = with_value(m, x_row[c]);
  if (threadIdx.x >= columns) return;
  m = block_moments(m);
  row_mean = m.mean;
  row_rstd = rsqrtf(m.squares / columns + eps);
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = row_mean;
    rstd[blockIdx.x] = row_rstd;
  }
// END: statistics
