// ENTRY: kernel
// CLASS: scaling
// CAUSE: The divisor is N rounded up to a multiple of the block's 256 threads.
// SAYS: divi|\bN\b|columns|rounded|factor|ratio|times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b|row_statistics
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|weight (is )?missing
// HELD: yes
// FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  int seen = 0;
  for (int first = 0; first < columns; first += kThreads, seen += kThreads) {
    const int column = first + threadIdx.x;
    if (column < columns) sum += x_row[column] * x_row[column];
  }
  inverse_rms = rsqrtf(block_sum(sum) / seen + eps);
// END: row_statistics
