// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The squares are not summed over the warp: each lane takes its rstd from its own columns.
// SAYS: rstd|variance|squares|statistics
// SAYS: lane|warp|sum|reduc|column|own|part|alone|factor|times|multipl|ratio
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 10 lines)
  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += x_row[c];
  row_mean = cg::reduce(warp, sum, cg::plus<float>()) / columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(squares / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
