// ENTRY: kernel
// CLASS: barrier
// CAUSE: The barrier stands inside the check of the bounds: threads outside never reach it.
// SAYS: barrier|__syncthreads
// SAYS: reach|wait|\ball\b|some|diverg|threads|left|lanes
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp|__activemask
// HELD: no
// FILL ME IN: read_rows (roughly 7 lines)
  int column = first_column + threadIdx.x;
  for (int i = 0; i < kEach; i++) {
    int y = threadIdx.y + i * kStep;
    if (first_row + y < rows && column < columns) {
      tile[y][threadIdx.x] = in[(first_row + y) * columns + column];
      __syncthreads();
    }
  }
// END: read_rows
