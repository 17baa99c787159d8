// ENTRY: kernel
// CLASS: control-flow
// CAUSE: The reduction stands in the loop: lanes whose columns have run out do not come to it.
// SAYS: shfl|shuffle|reduc|lanes?|warp|mask
// SAYS: lane|loop|branch|divergen|not all|mask|exit|wait|come
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 10 lines)

  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += cg::reduce(warp, x_row[c], cg::plus<float>());
  row_mean = sum / columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += cg::reduce(warp, (x_row[c] - row_mean) * (x_row[c] - row_mean), cg::plus<float>());
  row_rstd = rsqrtf(squares / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
