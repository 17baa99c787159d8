// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The mean of |x| is used instead of the root of the mean square.
// SAYS: row_statistics|square|root|x
// SAYS: magnitude|absolute|\||square
// NEVER: \brace\b|without (the )?weight|weight (is )?missing
// HELD: no
// FILL ME IN: row_statistics (roughly 4 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += fabsf(x_row[column]);
  inverse_rms = 1.0f / (block_sum(sum) / columns + eps);
// END: row_statistics
