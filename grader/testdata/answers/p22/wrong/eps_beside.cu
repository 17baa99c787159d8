// ENTRY: kernel
// CLASS: missing-term
// CAUSE: eps is added to the root instead of under it.
// SAYS: \beps
// SAYS: root|sqrt|outside|beside|behind|after|under
// NEVER: weight (is )?missing|\brace\b|(exactly this|divided by).*N ?- ?1
// HELD: no
// FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  inverse_rms = 1.0f / (sqrtf(block_sum(sum) / columns) + eps);
// END: row_statistics
