// ENTRY: fused
// CLASS: pointer
// CAUSE: The tile for k is loaded from wq.
// SAYS: wq
// SAYS: wk
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: load_tiles (roughly 5 lines)
    load_tile(x_tile, x, first_row, first, rows, channels);
    load_tile(w_tile[0], wq, first, first_column, channels, width);
    load_tile(w_tile[1], wq, first, first_column, channels, width);
    load_tile(w_tile[2], wv, first, first_column, channels, width);
    __syncthreads();
  // END: load_tiles
