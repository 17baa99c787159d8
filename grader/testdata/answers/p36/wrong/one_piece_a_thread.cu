// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: Each thread fetches one piece of each tile: three quarters are never filled.
// SAYS: tile|shared
// SAYS: never (been )?written|uninitiali|nobody|not written|unwritten
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads
// HELD: no
// FILL ME IN: load_tiles (roughly 9 lines)
    const int r = thread / 8, c = thread % 8 * 4;
    const float4 zero = {};
    store4(&q_tile[r][c], first_i + r < positions && first_c + c < channels ? load4(q + (first_i + r) * pitch + first_c + c) : zero);
    store4(&k_tile[r][c], first_j + r < positions && first_c + c < channels ? load4(k + (first_j + r) * pitch + first_c + c) : zero);
    __syncthreads();
// END: load_tiles
