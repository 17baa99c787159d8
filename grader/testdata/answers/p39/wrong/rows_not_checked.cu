// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Rows past the last one are stored.
// SAYS: out-of-bounds|past|beyond|behind|end
// SAYS: out\b
// NEVER: barrier|\brace\b
// HELD: yes
// FILL ME IN: store (roughly 8 lines)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int row = first_row + down * 4 + i;
      int col = first_column + across + 16 * j;
      if (col < columns) out[(size_t)row * columns + col] = sum[i][j] + bias[col];
    }
// END: store
