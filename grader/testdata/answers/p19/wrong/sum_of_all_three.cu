// ENTRY: fused
// CLASS: missing-term
// CAUSE: All three products are added to one sum, which is stored as q, k and v.
// SAYS: \bq\b|sum|multiply
// SAYS: sum|multiply|\bwk\b|\bk\b|added|never written|three|0
// NEVER: \brace\b|barrier|bounds
// HELD: yes
// FILL ME IN: multiply (roughly 7 lines)
    for (int c = 0; c < kTile; c++) {
      for (int i = 0; i < kEach; i++) {
        float a = x_tile[threadIdx.y + i * kStep][c];
        sum[0][i] += a * w_tile[0][c][threadIdx.x];
        sum[0][i] += a * w_tile[1][c][threadIdx.x];
        sum[0][i] += a * w_tile[2][c][threadIdx.x];
      }
    }
    __syncthreads();
// END: multiply
