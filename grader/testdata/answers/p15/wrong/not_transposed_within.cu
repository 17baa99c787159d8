// ENTRY: kernel
// CLASS: index
// CAUSE: The tile is written in the order in which it was read: tiles change places, values in them do not.
// SAYS: tile
// SAYS: row|column|exchange|transpos
// NEVER: \brace\b|barrier is missing
// HELD: yes
  // FILL ME IN: tile (roughly 1 line)
  __shared__ float tile[kTile][kTile + 1];
  // END: tile
  // FILL ME IN: read_rows (roughly 7 lines)
  const int column = first_column + threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const int row = first_row + y;
    if (row < rows && column < columns) tile[y][threadIdx.x] = in[static_cast<size_t>(row) * columns + column];
  }
  __syncthreads();
  // END: read_rows
  // FILL ME IN: write_rows (roughly 6 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const int to_row = first_column + y, to_column = first_row + threadIdx.x;
    if (to_row < columns && to_column < rows)
      out[static_cast<size_t>(to_row) * rows + to_column] = tile[y][threadIdx.x];
  }
  // END: write_rows
