// ENTRY: kernel
// CLASS: uninitialised
// CAUSE: Where a tile hangs over the edge of its matrix nothing is stored, and the products read what was there.
// SAYS: a_tile|b_tile|shared|tile
// SAYS: never (been )?written|uninitiali|nobody|not written|unwritten|0
// NEVER: \brace\b|transpos|cudaMemset
// HELD: no
// FILL ME IN: load_tiles (roughly 6 lines)
    int ak = first_k + threadIdx.x;
    int bk = first_k + threadIdx.y;
    if (row < rows && ak < inner) a_tile[threadIdx.y][threadIdx.x] = a[row * inner + ak];
    if (bk < inner && column < columns) b_tile[threadIdx.y][threadIdx.x] = b[bk * columns + column];
    __syncthreads();
// END: load_tiles
