// ENTRY: kernel
// CLASS: race
// CAUSE: There is no barrier between filling the tile and emptying it.
// SAYS: __syncthreads|barrier|race
// SAYS: tile|shared
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp|out of bounds
// HELD: no
// FILL ME IN: read_rows (roughly 7 lines)
  for (int i = 0; i < kEach; i++) {
    int y = threadIdx.y + i * kStep;
    int row = first_row + y, column = first_column + threadIdx.x;
    if (row < rows && column < columns) tile[y][threadIdx.x] = in[row * columns + column];
  }
// END: read_rows
