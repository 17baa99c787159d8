// ENTRY: kernel
// CLASS: index
// CAUSE: The key is read from the row of the thread's query: threadIdx.y in the place of threadIdx.x.
// SAYS: key|k_tile|column|row|multiply|threadIdx
// SAYS: column|row|threadIdx|multiply|same|every
// NEVER: \brace\b|barrier
// HELD: no
// FILL ME IN: multiply (roughly 12 lines)
    for (int p = 0; p < kPieces; ++p) {
      float4 of_q[kEach];
#pragma unroll
      for (int a = 0; a < kEach; ++a) of_q[a] = q_tile[threadIdx.y + a * kSide][p];
#pragma unroll
      for (int b = 0; b < kEach; ++b) {
        const float4 of_k = k_tile[threadIdx.y + b * kSide][p];
#pragma unroll
        for (int a = 0; a < kEach; ++a) sum[a][b] += dot(of_q[a], of_k);
      }
    }
    __syncthreads();
// END: multiply
