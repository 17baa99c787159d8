// ENTRY: kernel
// CLASS: index
// CAUSE: The sum of squares is divided by rows, not by columns.
// SAYS: rows|columns
// SAYS: rows`? stands|divided|instead|factor|by row
// NEVER: \brace\b|without (the )?weight|weight (is )?missing
// HELD: no
// FILL ME IN: row_statistics (roughly 4 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  inverse_rms = rsqrtf(block_sum(sum) / rows + eps);
// END: row_statistics
