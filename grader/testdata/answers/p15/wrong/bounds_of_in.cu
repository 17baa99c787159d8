// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The row of out is compared with rows and its column with columns, but out has columns rows.
// SAYS: bounds|past|beyond|outside|never written|uninitiali
// SAYS: \bout\b|tile|shared
// NEVER: \brace\b|barrier|bank
// HELD: no
// FILL ME IN: write_rows (roughly 6 lines)
  int out_col = first_row + threadIdx.x;
  for (int i = 0; i < kEach; i++) {
    int out_row = first_column + threadIdx.y + i * kStep;
    if (out_row < rows && out_col < columns) out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y + i * kStep];
  }
// END: write_rows
