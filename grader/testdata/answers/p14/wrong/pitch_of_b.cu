// ENTRY: kernel
// CLASS: index
// CAUSE: Rows of b are taken to lie K values apart; they lie N apart.
// SAYS: \bb\b|load_tiles|b_tile
// SAYS: \binner\b|\bK\b|\bN\b|columns|apart|pitch|past|beyond|outside|end
// NEVER: barrier|\brace\b|uninitiali
// HELD: no
// FILL ME IN: load_tiles (roughly 6 lines)
    int ak = first_k + threadIdx.x;
    int bk = first_k + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = (row < rows && ak < inner) ? a[row * inner + ak] : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = (bk < inner && column < columns) ? b[bk * inner + column] : 0.0f;
    __syncthreads();
// END: load_tiles
