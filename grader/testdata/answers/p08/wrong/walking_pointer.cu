// ENTRY: kernel
// CLASS: pointer
// CAUSE: The pointer that the first loop has moved to the end of the row is not set back to its start, so that the squares are those of the next row and, in the last one, of memory behind x.
// HELD: no
// SAYS: pointer|\bat\b.*(start|begin|row)|reset|set back|rewind|next row|advance
  // FILL ME IN: statistics (roughly 8 lines)
  const float* at = x_row;
  for (int left = columns; left > 0; --left) row_mean += *at++;
  row_mean /= columns;
  float squares = 0.0f;
  for (int left = columns; left > 0; --left) {
    const float delta = *at++ - row_mean;
    squares += delta * delta;
  }
  row_rstd = 1.0f / sqrtf(squares / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
  // END: statistics
  // FILL ME IN: normalize (roughly 2 lines)
  const float *from = x_row, *scale = gamma, *shift = beta;
  for (float* to = out_row; to != out_row + columns; ++to)
    *to = (*from++ - row_mean) * row_rstd * *scale++ + *shift++;
  // END: normalize
