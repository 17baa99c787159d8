// ENTRY: kernel
// CLASS: barrier
// CAUSE: Only threads that have a column call block_sum, whose barriers all threads of the block must reach.
// SAYS: mask|barrier|__syncthreads|block_sum|diverg
// SAYS: threads|diverg|\ball\b|\bsome\b|\bpart|branch|reach|wait
// NEVER: __activemask|eps (is )?(missing|outside|inside|left out)|without eps|(put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp
// HELD: no
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  if (threadIdx.x < columns) {
    for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
    sum = block_sum(sum);
  }
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;
// END: row_mean
