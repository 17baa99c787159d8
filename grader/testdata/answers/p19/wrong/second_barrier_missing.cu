// ENTRY: fused
// CLASS: race
// CAUSE: No barrier behind the products: tiles are overwritten while others read.
// SAYS: race
// SAYS: __syncthreads
// NEVER: __syncwarp
// HELD: yes
    // FILL ME IN: load_tiles (roughly 5 lines)
    load_tile(x_tile, x, first_row, first, rows, channels);
    load_tile(w_tile[0], wq, first, first_column, channels, width);
    load_tile(w_tile[1], wk, first, first_column, channels, width);
    load_tile(w_tile[2], wv, first, first_column, channels, width);
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 7 lines)
    for (int c = 0; c < kTile; ++c)
      for (int i = 0; i < kEach; ++i) {
        const float value = x_tile[threadIdx.y + i * kStep][c];
        for (int w = 0; w < 3; ++w) sum[w][i] += value * w_tile[w][c][threadIdx.x];
      }
    // END: multiply
  // FILL ME IN: store (roughly 8 lines)
  const int column = first_column + threadIdx.x;
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y + i * kStep;
    if (row >= rows || column >= width) continue;
    const size_t at = static_cast<size_t>(row) * width + column;
    q[at] = sum[0][i];
    k[at] = sum[1][i];
    v[at] = sum[2][i];
  }
  // END: store
