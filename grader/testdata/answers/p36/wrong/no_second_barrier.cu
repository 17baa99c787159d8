// ENTRY: kernel
// CLASS: race
// CAUSE: No barrier before the tiles are filled again.
// SAYS: race|syncthreads|tile
// NEVER: out.of.bounds
// HELD: yes
    // FILL ME IN: multiply (roughly 12 lines)
    for (int p = 0; p < kPieces; ++p) {
      float4 qs[kEach], ks[kEach];
#pragma unroll
      for (int n = 0; n < kEach; ++n) {
        qs[n] = q_tile[threadIdx.y + n * kSide][p];
        ks[n] = k_tile[threadIdx.x + n * kSide][p];
      }
#pragma unroll
      for (int a = 0; a < kEach; ++a)
#pragma unroll
        for (int b = 0; b < kEach; ++b) sum[a][b] += dot(qs[a], ks[b]);
    }
    // END: multiply
