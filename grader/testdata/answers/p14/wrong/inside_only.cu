// ENTRY: kernel
// CLASS: barrier
// CAUSE: Only threads with a value of c fetch and wait: the barrier stands inside a condition.
// SAYS: barrier|__syncthreads
// SAYS: reach|wait|\ball\b|some|diverg|threads|left|lanes
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp|__activemask
// HELD: yes
// FILL ME IN: load_tiles (roughly 6 lines)
    if (row < rows && column < columns) {
      int ak = first_k + threadIdx.x;
      int bk = first_k + threadIdx.y;
      a_tile[threadIdx.y][threadIdx.x] = ak < inner ? a[row * inner + ak] : 0.0f;
      b_tile[threadIdx.y][threadIdx.x] = bk < inner ? b[bk * columns + column] : 0.0f;
      __syncthreads();
    }
// END: load_tiles
