// ENTRY: fused
// CLASS: tail
// CAUSE: Each warp multiplies and stores one row of its tile, of four.
// SAYS: rows?|\bq\b|store|multiply
// SAYS: never written|not written|nobody|first 8|\b8\b|one for each warp|loop|left out
// NEVER: \brace\b|barrier|transpos
// HELD: no
// FILL ME IN: store (roughly 8 lines)
  for (int i = 0; i < 1; i++) {
    int row = first_row + threadIdx.y + i * kStep;
    int column = first_column + threadIdx.x;
    if (row < rows && column < width) {
      q[row * width + column] = sum[0][i];
      k[row * width + column] = sum[1][i];
      v[row * width + column] = sum[2][i];
    }
  }
// END: store
