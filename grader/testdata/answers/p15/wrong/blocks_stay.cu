// ENTRY: kernel
// CLASS: index
// CAUSE: The tile is turned but written to where it came from: row and column of the block are not exchanged.
// SAYS: \bout\b|write_rows|tile
// SAYS: stay|exchang|turned|swap|place|past|beyond|outside|transpos|end|never written|rows|read
// NEVER: \brace\b|barrier|bank
// HELD: yes
// FILL ME IN: write_rows (roughly 6 lines)
  for (int i = 0; i < kEach; i++) {
    int y = threadIdx.y + i * kStep;
    int row = first_row + y, col = first_column + threadIdx.x;
    if (row < columns && col < rows) out[row * rows + col] = tile[threadIdx.x][y];
  }
// END: write_rows
