// ENTRY: kernel
// CLASS: race
// CAUSE: Lane 0 stores the mean and the others load it from memory at once, with nothing that orders store and loads.
// SAYS: race|order|unsynchroni|never (been )?written|uninitiali|before
// SAYS: mean|lane|thread
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 10 lines)

  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += x_row[c];
  for (int d = 16; d > 0; d /= 2) sum += warp.shfl_down(sum, d);
  if (lane == 0) mean[row] = sum / columns;
  row_mean = mean[row];
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(cg::reduce(warp, squares, cg::plus<float>()) / columns + eps);
  if (lane == 0) rstd[row] = row_rstd;
// END: statistics
