// ENTRY: kernel
// CLASS: precision
// CAUSE: Variance as E[x^2] - mean^2: cancellation where the mean is large.
// SAYS: cancel|E\[x
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: statistics (roughly 12 lines)
  float sum = 0.0f;
  for (int h = lane; h < hidden; h += 32) sum += x_row[h];
  const float mu = warp_sum(sum) / hidden;
  float squares = 0.0f;
  for (int h = lane; h < hidden; h += 32) {
    squares += x_row[h] * x_row[h];
  }
  const float variance = warp_sum(squares) / hidden - mu * mu;
  if (lane == 0) {
    mean[row] = mu;
    rstd[row] = rsqrtf(variance + eps);
  }
  // END: statistics
