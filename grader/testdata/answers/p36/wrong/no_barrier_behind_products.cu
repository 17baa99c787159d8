// ENTRY: kernel
// CLASS: race
// CAUSE: There is no barrier behind the products: the next channels overwrite what others still read.
// SAYS: __syncthreads|barrier|race
// SAYS: tile|shared
// NEVER: __syncwarp|out of bounds
// HELD: yes
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
// END: multiply
