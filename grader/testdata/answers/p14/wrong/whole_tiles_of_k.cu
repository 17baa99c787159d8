// ENTRY: kernel
// CLASS: tail
// CAUSE: Only whole tiles along k are added: the last, partial one is dropped.
// SAYS: sum|product|\bk\b|inner|tile
// SAYS: whole|multiple|last|first|tail|left out|drop|\b32\b
// NEVER: \brace\b|barrier|transpos
// HELD: yes
// FILL ME IN: load_tiles (roughly 6 lines)
    if (first_k + kTile > inner) break;
    int ak = first_k + threadIdx.x, bk = first_k + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = (row < rows) ? a[row * inner + ak] : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = (column < columns) ? b[bk * columns + column] : 0.0f;
    __syncthreads();
// END: load_tiles
