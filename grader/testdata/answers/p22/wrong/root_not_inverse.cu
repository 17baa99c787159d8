// ENTRY: kernel
// CLASS: scaling
// CAUSE: inverse_rms is the root mean square itself: the reciprocal is missing.
// SAYS: recipro|inverse|rms|rsqrt|sqrt|root|divid|row_statistics
// SAYS: \brows?\b|recipro|inverse|rms
// NEVER: weight (is )?missing|\brace\b|NaN
// HELD: no
// FILL ME IN: row_statistics (roughly 6 lines)
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += kThreads) sum += x_row[column] * x_row[column];
  inverse_rms = sqrtf(block_sum(sum) / columns + eps);
// END: row_statistics
