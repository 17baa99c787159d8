// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: Each thread fetches one piece of each tile: three quarters are never filled.
// SAYS: tile|shared
// SAYS: never (been )?written|uninitiali|nobody|not written|unwritten
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads
// HELD: no
// FILL ME IN: load_tiles (roughly 7 lines)
    const int r = thread / 8, p = thread % 8;
    q_tile[r][p] = first_i + r < positions && first + p < pieces ? q[(first_i + r) * pitch + first + p] : make_float4(0, 0, 0, 0);
    k_tile[r][p] = first_j + r < positions && first + p < pieces ? k[(first_j + r) * pitch + first + p] : make_float4(0, 0, 0, 0);
    __syncthreads();
// END: load_tiles
