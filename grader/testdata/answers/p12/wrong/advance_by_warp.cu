// ENTRY: kernel
// CLASS: index
// CAUSE: The loop advances by 32 where the block takes 512 columns at a time: most columns are counted several times.
// SAYS: variance|squares|rstd|mean|statistics|block_stage|moments|column|\bx\b
// SAYS: 32|stride|step|several|times|advance|column|read|passes|statistics
// NEVER: \brace\b
// HELD: no
// FILL ME IN: statistics (roughly 9 lines)
  Moments m{0.0f, 0.0f, 0.0f};
  for (int c = threadIdx.x; c < columns; c += kWarp) m = with_value(m, x_row[c]);
  m = block_moments(m);
  row_mean = m.mean;
  row_rstd = rsqrtf(m.squares / columns + eps);
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = row_mean;
    rstd[blockIdx.x] = row_rstd;
  }
// END: statistics
