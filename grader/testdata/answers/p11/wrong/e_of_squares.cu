// ENTRY: kernel
// CLASS: precision
// CAUSE: E[x^2] - mean^2 in float cancels where the mean is large against the deviation.
// SAYS: variance|E\[x|squares|cancel|rstd
// SAYS: cancel|mean|digits|precision|E\[x|large|squares
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 12 lines)

  float a = 0.0f, b = 0.0f;
  for (int c = lane; c < columns; c += kWarp) {
    a += x_row[c];
    b = fmaf(x_row[c], x_row[c], b);
  }
  for (int d = 1; d < kWarp; d *= 2) {
    a += warp.shfl_xor(a, d);
    b += warp.shfl_xor(b, d);
  }
  row_mean = a / columns;
  row_rstd = rsqrtf(fmaxf(b / columns - row_mean * row_mean, 0.0f) + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
