// ENTRY: kernel
// CLASS: scaling
// CAUSE: The squares are divided by the threads of the block, not by the columns.
// SAYS: rstd|variance|squares
// SAYS: 512|thread|columns|\bN\b|divid|times|factor|scal
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: statistics (roughly 9 lines)
  Moments m{0.0f, 0.0f, 0.0f};
  for (int c = threadIdx.x; c < columns; c += kThreads) m = with_value(m, x_row[c]);
  m = block_moments(m);
  row_mean = m.mean;
  row_rstd = rsqrtf(m.squares / kThreads + eps);
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = row_mean;
    rstd[blockIdx.x] = row_rstd;
  }
// END: statistics
