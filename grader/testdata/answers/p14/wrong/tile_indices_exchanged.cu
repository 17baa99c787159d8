// ENTRY: kernel
// CLASS: index
// CAUSE: The tile of b is read with its indices exchanged: rows of b where columns are meant.
// SAYS: \bb\b|b_tile|multiply|tile
// SAYS: transpos|exchang|swap|rows|indices|instead
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: multiply (roughly 2 lines)
    for (int k = 0; k < kTile; k++) sum += a_tile[threadIdx.y][k] * b_tile[threadIdx.x][k];
    __syncthreads();
// END: multiply
