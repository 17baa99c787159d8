// ENTRY: fused
// CLASS: pointer
// CAUSE: The sums of k go to v and those of v to k.
// SAYS: \bk\b|\bv\b|store
// SAYS: exchang|swap|place|instead|\bwv\b|\bwk\b|store
// NEVER: \brace\b|barrier|bounds
// HELD: no
// FILL ME IN: store (roughly 8 lines)
  for (int i = 0; i < kEach; i++) {
    int row = first_row + threadIdx.y + i * kStep;
    int column = first_column + threadIdx.x;
    if (row < rows && column < width) {
      q[row * width + column] = sum[0][i];
      k[row * width + column] = sum[2][i];
      v[row * width + column] = sum[1][i];
    }
  }
// END: store
