// ENTRY: kernel
// CLASS: index
// CAUSE: Only j < i is stored: nobody writes the diagonal.
// SAYS: diagonal
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: products (roughly 8 lines)
  for (int c = 0; c < channels; ++c) {
    float a[kEach], b[kEach];
    for (int n = 0; n < kEach; ++n) {
      a[n] = q_row[n][c];
      b[n] = k_row[n][c];
    }
    for (int i = 0; i < kEach; ++i)
      for (int j = 0; j < kEach; ++j) sum[i][j] += a[i] * b[j];
  }
  // END: products
  // FILL ME IN: store (roughly 7 lines)
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) {
      const int row = first_i + i, column = first_j + j;
      if (row < positions && column < row)
        scores[static_cast<size_t>(row) * positions + column] = sum[i][j] * scale;
    }
  // END: store
