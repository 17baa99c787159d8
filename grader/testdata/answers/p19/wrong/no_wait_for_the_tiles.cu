// ENTRY: fused
// CLASS: race
// CAUSE: There is no barrier between filling the tiles and reading them.
// SAYS: __syncthreads|barrier|race
// SAYS: tile|shared
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp|out of bounds
// HELD: no
// FILL ME IN: load_tiles (roughly 5 lines)
    load_tile(x_tile, x, first_row, first, rows, channels);
    load_tile(w_tile[0], wq, first, first_column, channels, width);
    load_tile(w_tile[1], wk, first, first_column, channels, width);
    load_tile(w_tile[2], wv, first, first_column, channels, width);
// END: load_tiles
