// ENTRY: kernel
// CLASS: scaling
// CAUSE: The sum of the row is divided by the 32 lanes, not by the number of columns.
// SAYS: \bmean\b
// SAYS: 32|columns|\bN\b|divid|factor|times|scal|multipl|lanes|\bx\b
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: statistics (roughly 10 lines)
  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += x_row[c];
  row_mean = cg::reduce(warp, sum, cg::plus<float>()) / kWarp;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(cg::reduce(warp, squares, cg::plus<float>()) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
