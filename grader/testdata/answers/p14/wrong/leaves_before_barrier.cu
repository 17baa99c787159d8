// ENTRY: kernel
// CLASS: barrier
// CAUSE: Threads beyond the edge of c leave before the barrier that the others wait at.
// SAYS: barrier
// SAYS: left|leave|return
// NEVER: \brace\b|transposed
// HELD: yes
  // FILL ME IN: load_tiles (roughly 5 lines)
    if (row >= rows || column >= columns) return;
    const int ka = first_k + threadIdx.x, kb = first_k + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = ka < inner ? a[static_cast<size_t>(row) * inner + ka] : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = kb < inner ? b[static_cast<size_t>(kb) * columns + column] : 0.0f;
    __syncthreads();
  // END: load_tiles
