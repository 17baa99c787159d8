// ENTRY: kernel
// CLASS: index
// CAUSE: Bias[row] in place of bias[column].
// SAYS: bias|row|column|index
// HELD: yes
  // FILL ME IN: store (roughly 8 lines)
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + kEach * down + i;
    for (int j = 0; j < kEach; ++j) {
      const int column = first_column + across + kAcross * j;
      if (row < rows && column < columns) out[static_cast<size_t>(row) * columns + column] = sum[i][j] + bias[row];
    }
  }
  // END: store
