// ENTRY: fused
// CLASS: index
// CAUSE: The tiles of the weights are read with row and column exchanged.
// SAYS: w_tile|weights?|\bw[qkv]\b|multiply
// SAYS: transpos|exchang|swap|row|indices|multiply|instead
// NEVER: \brace\b|barrier|bounds
// HELD: no
// FILL ME IN: multiply (roughly 7 lines)
    for (int c = 0; c < kTile; c++) {
      for (int i = 0; i < kEach; i++) {
        float a = x_tile[threadIdx.y + i * kStep][c];
        sum[0][i] += a * w_tile[0][threadIdx.x][c];
        sum[1][i] += a * w_tile[1][threadIdx.x][c];
        sum[2][i] += a * w_tile[2][threadIdx.x][c];
      }
    }
    __syncthreads();
// END: multiply
