// ENTRY: fused
// CLASS: out-of-bounds
// CAUSE: Only the row is checked before the stores: columns past D land in the next row, or past the end.
// SAYS: bounds|past|beyond|outside|end|race|column
// SAYS: \bq\b|\bk\b|\bv\b|store|write
// NEVER: __syncthreads|barrier|transpos
// HELD: no
// FILL ME IN: store (roughly 8 lines)
  for (int i = 0; i < kEach; i++) {
    int row = first_row + threadIdx.y + i * kStep;
    int column = first_column + threadIdx.x;
    if (row < rows) {
      q[row * width + column] = sum[0][i];
      k[row * width + column] = sum[1][i];
      v[row * width + column] = sum[2][i];
    }
  }
// END: store
