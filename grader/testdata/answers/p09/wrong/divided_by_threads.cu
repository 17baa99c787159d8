// ENTRY: kernel
// CLASS: scaling
// CAUSE: The sum is divided by the 256 threads of the block instead of the N columns.
// SAYS: \bmean\b
// SAYS: 256 threads|kThreads|threads|divi|factor|ratio|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)|\brace\b
// HELD: no
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  sum = block_sum(sum);
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / kThreads;
// END: row_mean
