// ENTRY: kernel
// CLASS: index
// CAUSE: The loop begins at the lane's number and advances by the block: all warps see the same columns.
// SAYS: variance|squares|rstd|mean|statistics|block_stage|moments|column|\bx\b
// SAYS: column|lane|warp|index|same|times|factor|multiple|statistics|\bx\b
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: statistics (roughly 9 lines)
  Moments m{0.0f, 0.0f, 0.0f};
  for (int c = threadIdx.x % kWarp; c < columns; c += kThreads) m = with_value(m, x_row[c]);
  m = block_moments(m);
  row_mean = m.mean;
  row_rstd = rsqrtf(m.squares / columns + eps);
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = row_mean;
    rstd[blockIdx.x] = row_rstd;
  }
// END: statistics
