// ENTRY: kernel
// CLASS: index
// CAUSE: A warp reads neighbouring rows into places kStep apart.
// SAYS: rows
// SAYS: side by side|apart|uninitialised
// NEVER: barrier|bank
// HELD: no
  // FILL ME IN: read_rows (roughly 6 lines)
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y * kEach + i, column = first_column + threadIdx.x;
    if (row < rows && column < columns)
      tile[threadIdx.y + i * kStep][threadIdx.x] = in[static_cast<size_t>(row) * columns + column];
  }
  __syncthreads();
  // END: read_rows
