// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The shift has beta summed over h, not beta times W.
// SAYS: beta|shift
// SAYS: weight|times|\bW\b|sum|missing|without|not
  // FILL ME IN: fold (roughly 13 lines)
  float of_gamma = 0.0f, of_beta = 0.0f;
#pragma unroll 8
  for (int h = lane; h < hidden; h += 32) {
    const float w = weight_row[h], value = gamma[h] * w;
    folded_row[h] = value;
    of_gamma += value;  // of what the product will use, not of gamma[h] * w unrounded
    of_beta += beta[h];
  }
  of_gamma = warp_sum(of_gamma);
  of_beta = warp_sum(of_beta);
  if (lane == 0) {
    row_sum[o] = of_gamma;
    shift[o] = of_beta + bias[o];
  }
  // END: fold
