// ENTRY: kernel
// CLASS: scaling
// CAUSE: rstd is missing in front: dx is the gradient of x - mean scaled, not of x.
// SAYS: rstd
// NEVER: \brace\b|gamma stands
// HELD: no
// FILL ME IN: store_row (roughly 5 lines)
#pragma unroll
  for (int i = 0; i < kShare; ++i) {
    const int p = thread + i * kGroup;
    if (p < pieces) dx_row[p] = from_dy[i] - first_mean - from_x[i] * second_mean;
  }
// END: store_row
