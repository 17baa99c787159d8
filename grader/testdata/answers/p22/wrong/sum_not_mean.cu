// ENTRY: kernel
// CLASS: scaling
// CAUSE: The sum of the squares is not divided by N.
// SAYS: divi|\bN\b|columns|the mean|ratio|factor|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b|row_statistics
// NEVER: exactly this:.*N ?- ?1|eps (is )?(missing|outside|inside|left out)|without eps|weight (is )?missing|\brace\b
// HELD: no
// FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  inverse_rms = rsqrtf(block_sum(sum) + eps);
// END: row_statistics
