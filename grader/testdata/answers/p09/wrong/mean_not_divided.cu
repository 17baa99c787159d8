// ENTRY: kernel
// CLASS: scaling
// CAUSE: `row_mean` stores the sum of the row: the division by N is missing.
// SAYS: \bmean\b|row_mean
// SAYS: sum|divi|\bN\b|columns|factor|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)|\brace\b
// HELD: no
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  const float total = block_sum(sum);
  if (threadIdx.x == 0) mean[blockIdx.x] = total;
// END: row_mean
