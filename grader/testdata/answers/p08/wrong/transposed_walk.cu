// ENTRY: kernel
// CLASS: index
// CAUSE: x is walked as if it were [N,M]: element c of row r is looked for at c * rows + r.
// SAYS: \bx\b|transpos|statistics
// SAYS: transpos|index|stride|apart|wrong column|other (row|element)s|statistics
// NEVER: without (gamma|beta)|eps (is )?(missing|outside|inside|left out)|without eps
// HELD: no
// FILL ME IN: statistics (roughly 8 lines)
  const float* from = x + row;
  float s = 0.0f, q = 0.0f;
  for (int c = 0; c < columns; ++c) s += from[static_cast<size_t>(c) * rows];
  row_mean = s / columns;
  for (int c = 0; c < columns; ++c) {
    const float d = from[static_cast<size_t>(c) * rows] - row_mean;
    q += d * d;
  }
  row_rstd = rsqrtf(q / columns + eps);
  mean[row] = row_mean;
  rstd[row] = row_rstd;
// END: statistics
