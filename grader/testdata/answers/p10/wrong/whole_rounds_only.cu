// ENTRY: kernel
// CLASS: tail
// CAUSE: The loop ends where a round of the warp would not be whole: up to 31 columns of a row are missing in the sum.
// SAYS: mean|row_mean|sum|statistics|tail
// SAYS: tail|last|column|whole|round|32|loop|factor|times|multiple
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 10 lines)
  float sum = 0.0f;
  for (int c = lane; c - lane + kWarp <= columns; c += kWarp) sum += x_row[c];
  row_mean = cg::reduce(warp, sum, cg::plus<float>()) / columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(cg::reduce(warp, squares, cg::plus<float>()) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
