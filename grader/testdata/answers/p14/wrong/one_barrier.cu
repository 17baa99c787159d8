// ENTRY: kernel
// CLASS: race
// CAUSE: There is no barrier behind the products: the next tiles are written while others still read.
// SAYS: __syncthreads|barrier|race
// SAYS: a_tile|b_tile|tile|shared
// NEVER: (put|add|missing|needs?|lacks?)\b.{0,30}__syncwarp|out of bounds|uninitiali
// HELD: no
// FILL ME IN: multiply (roughly 2 lines)
    for (int k = 0; k < kTile; k++) {
      sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    }
// END: multiply
