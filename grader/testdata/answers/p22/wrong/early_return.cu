// ENTRY: kernel
// CLASS: barrier
// CAUSE: Threads without a column return before block_sum, which has a barrier that all threads must reach.
// SAYS: mask|lanes|barrier|__syncthreads|block_sum|return
// SAYS: threads|left|return|\ball\b|\bsome\b|diverg|reach|wait|exit
// NEVER: __activemask|(put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp
// HELD: no
// FILL ME IN: row_statistics (roughly 6 lines)
  if (threadIdx.x >= columns) return;
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
// END: row_statistics
