// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Beta is multiplied with the folded weight (gamma W) and not with W.
// SAYS: beta|shift
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: fold (roughly 13 lines)
  float total = 0.0f, moved = 0.0f;
  for (int h = lane; h < hidden; h += 32) {
    const float w = weight_row[h];
    const float f = gamma[h] * w;
    folded_row[h] = f;
    total += f;
    moved += beta[h] * f;
  }
  total = warp_sum(total);
  moved = warp_sum(moved);
  if (lane == 0) {
    row_sum[o] = total;
    shift[o] = bias[o] + moved;
  }
  // END: fold
