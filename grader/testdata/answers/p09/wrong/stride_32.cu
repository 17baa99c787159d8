// ENTRY: kernel
// CLASS: index
// CAUSE: The loop advances by 32 instead of the block's 256 threads: most columns are added several times.
// SAYS: mean|row_mean
// SAYS: stride|step|advance|several|more than once|32|8|times|overlap|block
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)|\brace\b
// HELD: no
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) sum += x_row[c];
  sum = block_sum(sum);
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;
// END: row_mean
