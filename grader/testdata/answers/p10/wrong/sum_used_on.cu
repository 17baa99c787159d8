// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The variable of the sum is used for the squares as well and is not set to 0 in between.
// SAYS: rstd|variance|squares
// SAYS: sum|not (reset|set)|0|mean|zero|factor|times|too|differs?|initial|ratio|squares
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: statistics (roughly 10 lines)

  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += x_row[c];
  row_mean = cg::reduce(warp, sum, cg::plus<float>()) / columns;
  for (int c = lane; c < columns; c += kWarp) sum += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(cg::reduce(warp, sum, cg::plus<float>()) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
