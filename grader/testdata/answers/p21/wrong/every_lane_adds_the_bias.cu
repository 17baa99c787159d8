// ENTRY: kernel
// CLASS: scaling
// CAUSE: Each lane starts its sum with the bias, so 32 of them are in the shift.
// SAYS: bias|shift|constant
// HELD: yes
  // FILL ME IN: fold (roughly 13 lines)
  float of_gamma = 0.0f, of_beta = bias[o];
#pragma unroll 8
  for (int h = lane; h < hidden; h += 32) {
    const float w = weight_row[h], value = gamma[h] * w;
    folded_row[h] = value;
    of_gamma += value;  // of what the product will use, not of gamma[h] * w unrounded
    of_beta += beta[h] * w;
  }
  of_gamma = warp_sum(of_gamma);
  of_beta = warp_sum(of_beta);
  if (lane == 0) {
    row_sum[o] = of_gamma;
    shift[o] = of_beta;
  }
  // END: fold
