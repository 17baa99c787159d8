// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The loop over a tile stops one short: the last product of each tile of 32 is left out.
// SAYS: product|sum|tile|multiply|\bk\b|term
// SAYS: last|left out|missing|without|31|32|part|multiply
// NEVER: \brace\b|barrier|transpos
// HELD: no
// FILL ME IN: multiply (roughly 2 lines)
    for (int k = 0; k < kTile - 1; k++) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
// END: multiply
