// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The values are summed without being squared; where the sum is negative the root is NaN.
// SAYS: squar|NaN|negative|row_statistics
// NEVER: whole blocks of 256|\brace\b|eps (is )?(missing|outside|inside|left out)|without eps|never (been )?written|overflows
// HELD: yes
// FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column];
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
// END: row_statistics
