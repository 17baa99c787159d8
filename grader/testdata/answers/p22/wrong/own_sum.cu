// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The threads' sums are never added up: every thread scales its columns by its own part.
// SAYS: block_sum|\bown\b|thread|\bpart|reduc|row_statistics|lanes
// NEVER: \brace\b|eps (is )?(missing|outside|inside|left out)|without eps|weight (is )?missing
// HELD: no
// FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  inverse_rms = rsqrtf(sum / columns + eps);
// END: row_statistics
