// ENTRY: kernel
// CLASS: tail
// CAUSE: Each warp writes one row of its tile: of every 32 rows of out the first 8.
// SAYS: \bout\b|rows|write_rows|tile
// SAYS: never written|not written|nobody|first 8|\b8\b|8 rows|one for each warp|loop
// NEVER: \brace\b|barrier|bank
// HELD: yes
// FILL ME IN: write_rows (roughly 6 lines)
  int out_row = first_column + threadIdx.y;
  int out_col = first_row + threadIdx.x;
  if (out_row < columns && out_col < rows) out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
// END: write_rows
