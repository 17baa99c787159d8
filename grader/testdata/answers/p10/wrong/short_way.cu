// ENTRY: kernel
// CLASS: precision
// CAUSE: The variance is taken as E[x^2] - mean^2, which has no digits left where the mean is large against the deviation.
// SAYS: variance|E\[x|squares|cancel|offset|rstd
// SAYS: cancel|mean|digits|precision|E\[x|large|squares
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 10 lines)

  float s1 = 0.0f, s2 = 0.0f;
  for (int c = lane; c < columns; c += kWarp) {
    const float v = x_row[c];
    s1 += v;
    s2 += v * v;
  }
  row_mean = cg::reduce(warp, s1, cg::plus<float>()) / columns;
  row_rstd = rsqrtf(cg::reduce(warp, s2, cg::plus<float>()) / columns - row_mean * row_mean + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
