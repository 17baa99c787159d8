// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Shuffles down leave the whole sum in lane 0 alone; the other lanes go on with partial sums.
// SAYS: mean|row_mean|statistics
// SAYS: lane|partial|broadcast|shuffle|only|first|column|sum|differs?|\bx\b
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: statistics (roughly 10 lines)

  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += x_row[c];
  for (int d = 16; d > 0; d /= 2) sum += warp.shfl_down(sum, d);
  row_mean = sum / columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  for (int d = 16; d > 0; d /= 2) squares += warp.shfl_down(squares, d);
  row_rstd = rsqrtf(squares / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
