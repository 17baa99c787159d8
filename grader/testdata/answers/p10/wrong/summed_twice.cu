// ENTRY: kernel
// CLASS: scaling
// CAUSE: The sum that all lanes have already is summed over the warp again: 32 times too large.
// SAYS: \bmean\b
// SAYS: 32|times|factor|twice|again|scal|multipl|sum
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 10 lines)
  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += x_row[c];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  row_mean = cg::reduce(warp, sum, cg::plus<float>()) / columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(cg::reduce(warp, squares, cg::plus<float>()) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
