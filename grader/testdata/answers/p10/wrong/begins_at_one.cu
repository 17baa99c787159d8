// ENTRY: kernel
// CLASS: index
// CAUSE: The first loop begins at column lane + 1: column 0 is in no sum.
// SAYS: \bmean\b|row_mean|sum
// SAYS: column|first|0|index|off by|shift|missing|left out|\bx\b
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 10 lines)
  float sum = 0.0f;
  for (int c = lane + 1; c < columns; c += kWarp) sum += x_row[c];
  row_mean = cg::reduce(warp, sum, cg::plus<float>()) / columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(cg::reduce(warp, squares, cg::plus<float>()) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
