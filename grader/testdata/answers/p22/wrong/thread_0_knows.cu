// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Only thread 0 works out inverse_rms; the other threads still have the 0 it started with.
// SAYS: thread 0|only|column 0|others?|inverse_rms|row_statistics
// SAYS: (is|are|by|with|to|be|gives?|has|stays?|=|grid) \(?0(?![.,]?\d)|zero|first|only
// NEVER: \brace\b|eps (is )?(missing|outside|inside|left out)|without eps|weight (is )?missing|never (been )?written
// HELD: no
// FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  sum = block_sum(sum);
  if (threadIdx.x == 0) inverse_rms = rsqrtf(sum / columns + eps);
// END: row_statistics
