// ENTRY: fused
// CLASS: race
// CAUSE: There is no barrier behind the products: the next tiles overwrite what others still read.
// SAYS: __syncthreads|barrier|race
// SAYS: tile|shared
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp|out of bounds
// HELD: no
// FILL ME IN: load_tiles (roughly 5 lines)
    load_tile(x_tile, x, first_row, first, rows, channels);
    load_tile(w_tile[0], wq, first, first_column, channels, width);
    load_tile(w_tile[1], wk, first, first_column, channels, width);
    load_tile(w_tile[2], wv, first, first_column, channels, width);
    __syncthreads();
// END: load_tiles
// FILL ME IN: multiply (roughly 7 lines)
    for (int c = 0; c < kTile; c++) {
      for (int i = 0; i < kEach; i++) {
        float a = x_tile[threadIdx.y + i * kStep][c];
        sum[0][i] += a * w_tile[0][c][threadIdx.x];
        sum[1][i] += a * w_tile[1][c][threadIdx.x];
        sum[2][i] += a * w_tile[2][c][threadIdx.x];
      }
    }
// END: multiply
