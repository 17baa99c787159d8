// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The bias is not added.
// SAYS: bias
// NEVER: barrier|\brace\b
// HELD: yes
// FILL ME IN: store (roughly 8 lines)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int row = first_row + down * 4 + i;
      int col = first_column + across + 16 * j;
      if (row < rows && col < columns) out[(size_t)row * columns + col] = sum[i][j];
    }
// END: store
