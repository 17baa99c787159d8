// STYLE: the barrier that protects the tiles from being overwritten stands in front of the fill, queries are kept in registers and keys loaded one by one, and the four products of a piece are chained
// FILL ME IN: load_tiles (roughly 7 lines)
    __syncthreads();  // everybody has done with the tiles before these
    {
      const int my_piece = thread % kPieces;
      const bool piece_there = first + my_piece < pieces;
      const float4* const q_from = q + first + my_piece;
      const float4* const k_from = k + first + my_piece;
#pragma unroll
      for (int r = thread / kPieces; r < kTile; r += kThreads / kPieces) {
        q_tile[r][my_piece] = k_tile[r][my_piece] = float4{0.0f, 0.0f, 0.0f, 0.0f};
        if (piece_there && first_i + r < positions) q_tile[r][my_piece] = q_from[(first_i + r) * pitch];
        if (piece_there && first_j + r < positions) k_tile[r][my_piece] = k_from[(first_j + r) * pitch];
      }
    }
    __syncthreads();
// END: load_tiles
// FILL ME IN: multiply (roughly 12 lines)
#pragma unroll 1
    for (int p = 0; p < kPieces; ++p) {
      float4 query[kEach];
#pragma unroll
      for (int a = 0; a < kEach; ++a) query[a] = q_tile[a * kSide + threadIdx.y][p];
#pragma unroll
      for (int b = 0; b < kEach; ++b) {
        const float4 key = k_tile[b * kSide + threadIdx.x][p];
#pragma unroll
        for (int a = 0; a < kEach; ++a) {
          float s = sum[a][b];
          s = fmaf(query[a].x, key.x, s);
          s = fmaf(query[a].y, key.y, s);
          s = fmaf(query[a].z, key.z, s);
          sum[a][b] = fmaf(query[a].w, key.w, s);
        }
      }
    }
// END: multiply
// FILL ME IN: store (roughly 7 lines)
  const int my_j = first_j + static_cast<int>(threadIdx.x);
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    const int i = first_i + static_cast<int>(threadIdx.y) + a * kSide;
    const int last = i < positions ? i : -1;  // the last column that is wanted; none in a row that is not there
    float* const to = scores + static_cast<size_t>(i) * positions;
#pragma unroll
    for (int b = 0; b < kEach; ++b)
      if (my_j + b * kSide <= last) to[my_j + b * kSide] = scale * sum[a][b];
  }
// END: store
