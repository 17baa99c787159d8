// ENTRY: kernel
// CLASS: pointer
// CAUSE: Rows of b are taken to be inner values apart, they are columns apart.
// SAYS: \bb\b
// SAYS: \bK\b
// SAYS: apart|pitch|instead
// NEVER: \brace\b|barrier|grid may
// HELD: yes
    // FILL ME IN: load_tiles (roughly 6 lines)
    const int ka = first_k + threadIdx.x, kb = first_k + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < rows && ka < inner ? a[static_cast<size_t>(row) * inner + ka] : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = kb < inner && column < columns ? b[static_cast<size_t>(kb) * inner + column] : 0.0f;
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 2 lines)
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
    // END: multiply
  // FILL ME IN: store (roughly 1 line)
  if (row < rows && column < columns) c[static_cast<size_t>(row) * columns + column] = sum;
  // END: store
