// ENTRY: kernel
// CLASS: scaling
// CAUSE: The mean is the sum: it is not divided by H.
// SAYS: mean|statistics|sum
// SAYS: divi|\bH\b|hidden|sum|not
  // FILL ME IN: statistics (roughly 12 lines)
  float sum = 0.0f, squares = 0.0f;
#pragma unroll 8
  for (int h = lane; h < hidden; h += 32) sum += x_row[h];
  const float mean_of_row = warp_sum(sum);
#pragma unroll 8
  for (int h = lane; h < hidden; h += 32) squares += (x_row[h] - mean_of_row) * (x_row[h] - mean_of_row);
  const float variance = warp_sum(squares) / hidden;
  if (lane == 0) {
    mean[row] = mean_of_row;
    rstd[row] = rsqrtf(variance + eps);
  }
  // END: statistics
