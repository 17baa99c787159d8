// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: atomicAdd adds to `mean`, which holds nothing before the call: nobody sets it to 0.
// SAYS: \bmean\b
// SAYS: before|never (been )?written|uninitiali|nobody|zero|set to 0|holds|atomic
// NEVER: \brace\b|no loop|(put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads
// HELD: no
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(mean + blockIdx.x, sum / columns);
// END: row_mean
