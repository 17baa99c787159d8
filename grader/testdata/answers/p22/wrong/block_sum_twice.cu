// ENTRY: kernel
// CLASS: race
// CAUSE: block_sum is called twice; its one barrier protects the first use of `partial` only, and the second call overwrites what other warps still read.
// SAYS: __syncthreads|barrier|race
// SAYS: partial|shared|block_sum|twice|second
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp|__activemask|weight (is )?missing
// HELD: yes
// FILL ME IN: row_statistics (roughly 6 lines)
  float even = 0.0f, odd = 0.0f;
  for (int column = threadIdx.x; column < columns; column += 2 * kThreads) even += x_row[column] * x_row[column];
  for (int column = threadIdx.x + kThreads; column < columns; column += 2 * kThreads)
    odd += x_row[column] * x_row[column];
  inverse_rms = rsqrtf((block_sum(even) + block_sum(odd)) / columns + eps);
// END: row_statistics
