// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The squares of the lanes are not added up: rstd is made of the squares of lane 0 alone.
// SAYS: squares|variance|statistics|rstd|lane
// SAYS: lane|warp|own|alone|first|every|statistics
  // FILL ME IN: statistics (roughly 12 lines)
  float sum = 0.0f, squares = 0.0f;
#pragma unroll 8
  for (int h = lane; h < hidden; h += 32) sum += x_row[h];
  const float mean_of_row = warp_sum(sum) / hidden;
#pragma unroll 8
  for (int h = lane; h < hidden; h += 32) squares += (x_row[h] - mean_of_row) * (x_row[h] - mean_of_row);
  const float variance = squares / hidden;
  if (lane == 0) {
    mean[row] = mean_of_row;
    rstd[row] = rsqrtf(variance + eps);
  }
  // END: statistics
