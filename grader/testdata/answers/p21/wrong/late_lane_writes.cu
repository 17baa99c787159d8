// ENTRY: kernel
// CLASS: control-flow
// CAUSE: Every lane writes its own part of row_sum and shift, and the last that comes wins.
// SAYS: race|lane|row_sum|shift|lanes|threads|warp
  // FILL ME IN: fold (roughly 13 lines)
  float of_gamma = 0.0f, of_beta = 0.0f;
#pragma unroll 8
  for (int h = lane; h < hidden; h += 32) {
    const float w = weight_row[h], value = gamma[h] * w;
    folded_row[h] = value;
    of_gamma += value;  // of what the product will use, not of gamma[h] * w unrounded
    of_beta += beta[h] * w;
  }
  {
    row_sum[o] = of_gamma;
    shift[o] = of_beta + bias[o];
  }
  // END: fold
