// ENTRY: kernel
// CLASS: index
// CAUSE: gamma and beta are read at the output, not at h.
// SAYS: gamma|beta|fold
  // FILL ME IN: fold (roughly 13 lines)
  float of_gamma = 0.0f, of_beta = 0.0f;
#pragma unroll 8
  for (int h = lane; h < hidden; h += 32) {
    const float w = weight_row[h], value = gamma[o] * w;
    folded_row[h] = value;
    of_gamma += value;  // of what the product will use, not of gamma[o] * w unrounded
    of_beta += beta[o] * w;
  }
  of_gamma = warp_sum(of_gamma);
  of_beta = warp_sum(of_beta);
  if (lane == 0) {
    row_sum[o] = of_gamma;
    shift[o] = of_beta + bias[o];
  }
  // END: fold
