// ENTRY: kernel
// CLASS: index
// CAUSE: Rows of out are taken to lie `columns` values apart, as those of in do; they lie `rows` apart.
// SAYS: \bout\b|write_rows|columns
// SAYS: past|beyond|outside|pitch|apart|end|columns|rows
// NEVER: \brace\b|barrier|bank
// HELD: no
// FILL ME IN: write_rows (roughly 6 lines)
  int out_col = first_row + threadIdx.x;
  for (int i = 0; i < kEach; i++) {
    int out_row = first_column + threadIdx.y + i * kStep;
    if (out_row < columns && out_col < rows) out[out_row * columns + out_col] = tile[threadIdx.x][threadIdx.y + i * kStep];
  }
// END: write_rows
