// ENTRY: fused
// CLASS: race
// CAUSE: __syncwarp waits for the warp alone; tiles are filled by all warps of the block.
// SAYS: __syncthreads|barrier|race
// SAYS: tile|shared|warp
// NEVER: out of bounds|uninitiali
// HELD: yes
// FILL ME IN: load_tiles (roughly 5 lines)
    load_tile(x_tile, x, first_row, first, rows, channels);
    load_tile(w_tile[0], wq, first, first_column, channels, width);
    load_tile(w_tile[1], wk, first, first_column, channels, width);
    load_tile(w_tile[2], wv, first, first_column, channels, width);
    __syncwarp();
// END: load_tiles
