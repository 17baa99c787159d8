// ENTRY: kernel
// CLASS: race
// CAUSE: There is no barrier behind the products: the next channels overwrite what others still read.
// SAYS: __syncthreads|barrier|race
// SAYS: tile|shared
// NEVER: __syncwarp|out of bounds
// HELD: yes
// FILL ME IN: multiply (roughly 12 lines)
    for (int c = 0; c < kDeep; c += 4) {
      float4 of_q[kEach];
#pragma unroll
      for (int a = 0; a < kEach; ++a) of_q[a] = load4(&q_tile[threadIdx.y + a * kSide][c]);
#pragma unroll
      for (int b = 0; b < kEach; ++b) {
        const float4 of_k = load4(&k_tile[threadIdx.x + b * kSide][c]);
#pragma unroll
        for (int a = 0; a < kEach; ++a) sum[a][b] += dot(of_q[a], of_k);
      }
    }
// END: multiply
