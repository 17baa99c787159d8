// ENTRY: kernel
// CLASS: index
// CAUSE: The columns of a thread are 16 apart in the tile and side by side where they are stored.
// SAYS: columns?|permut|order|place|store|index|exchang|instead
// NEVER: barrier|\brace\b
// HELD: no
// FILL ME IN: store (roughly 8 lines)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int row = first_row + down * 4 + i;
      int col = first_column + across * 4 + j;
      if (row < rows && col < columns) out[(size_t)row * columns + col] = sum[i][j] + bias[col];
    }
// END: store
