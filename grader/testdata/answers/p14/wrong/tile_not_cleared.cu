// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: What hangs over the edge along k is left as it was in the tile: values of the tile before are added once more.
// SAYS: tile
// SAYS: before|again|left|stale|old
// SAYS: end|edge|hangs|last
// NEVER: \brace\b|barrier
// HELD: yes
    // FILL ME IN: load_tiles (roughly 6 lines)
    const int ka = first_k + threadIdx.x, kb = first_k + threadIdx.y;
    if (first_k == 0) a_tile[threadIdx.y][threadIdx.x] = b_tile[threadIdx.y][threadIdx.x] = 0.0f;
    if (row < rows && ka < inner) a_tile[threadIdx.y][threadIdx.x] = a[static_cast<size_t>(row) * inner + ka];
    if (kb < inner && column < columns) b_tile[threadIdx.y][threadIdx.x] = b[static_cast<size_t>(kb) * columns + column];
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 2 lines)
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
    // END: multiply
  // FILL ME IN: store (roughly 1 line)
  if (row < rows && column < columns) c[static_cast<size_t>(row) * columns + column] = sum;
  // END: store
