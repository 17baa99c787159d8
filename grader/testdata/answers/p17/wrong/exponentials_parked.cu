// ENTRY: kernel
// CLASS: over-budget
// CAUSE: exp(x - m) goes to out and comes back to be divided: a write and a read too many.
// SAYS: out\b|passes|read|written|times
// SAYS: out\b|times|2\.0|more|over
// NEVER: wrong (answer|result|value)
// NEVER: coalesc
// HELD: no
// FILL ME IN: write_row (roughly 3 lines)
  for (int column = threadIdx.x; column < columns; column += kThreads) out_row[column] = expf(x_row[column] - row.largest);
  __syncthreads();
  for (int column = threadIdx.x; column < columns; column += kThreads) out_row[column] *= 1.0f / row.sum;
// END: write_row
