// ENTRY: kernel
// CLASS: over-budget
// CAUSE: A fourth loop over x looks for the largest value, to scale by, which LayerNorm does not need.
// SAYS: \bx\b
// SAYS: 4|four|times|again|more|passes|read
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced
// HELD: yes
// FILL ME IN: statistics (roughly 10 lines)

  float largest = 1e-30f;
  for (int c = lane; c < columns; c += kWarp) largest = fmaxf(largest, fabsf(x_row[c]));
  largest = cg::reduce(warp, largest, cg::greater<float>());
  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += x_row[c] / largest;
  row_mean = cg::reduce(warp, sum, cg::plus<float>()) / columns * largest;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += (x_row[c] - row_mean) * (x_row[c] - row_mean);
  row_rstd = rsqrtf(cg::reduce(warp, squares, cg::plus<float>()) / columns + eps);
  if (lane == 0) {
    mean[row] = row_mean;
    rstd[row] = row_rstd;
  }
// END: statistics
