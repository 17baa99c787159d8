// ENTRY: kernel
// CLASS: scaling
// CAUSE: The sums so far are scaled after each tile of 32 channels and again.
// SAYS: scale|sqrt|HS|multiply|sum
// SAYS: each|tile|again|every|32
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
    // FILL ME IN: multiply (roughly 12 lines)
    for (int p = 0; p < kPieces; ++p) {
      float4 of_q[kEach];
#pragma unroll
      for (int a = 0; a < kEach; ++a) of_q[a] = q_tile[threadIdx.y + a * kSide][p];
#pragma unroll
      for (int b = 0; b < kEach; ++b) {
        const float4 of_k = k_tile[threadIdx.x + b * kSide][p];
#pragma unroll
        for (int a = 0; a < kEach; ++a) sum[a][b] += dot(of_q[a], of_k);
      }
    }
    for (int a = 0; a < kEach; ++a)
      for (int b = 0; b < kEach; ++b) sum[a][b] *= scale;
    __syncthreads();
    // END: multiply

  // FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + threadIdx.y + a * kSide, j = first_j + threadIdx.x + b * kSide;
      if (i < positions && j <= i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b];
    }
  // END: store
