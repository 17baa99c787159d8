// ENTRY: kernel
// CLASS: tail
// CAUSE: Pieces behind the last channel are read as the last one, and counted, in place of zeros.
// SAYS: 0 for what is read|zero|behind the (last|end)
// NEVER: \brace\b
// NEVER: causal|diagonal
// HELD: no
    // FILL ME IN: load_tiles (roughly 7 lines)
    // What is behind the end may be read as the last one: nothing of it is stored.
    for (int n = thread; n < kTile * kPieces; n += kThreads) {
      const int r = n / kPieces, p = n % kPieces;
      const int piece = min(first + p, pieces - 1);
      q_tile[r][p] = q[min(first_i + r, positions - 1) * pitch + piece];
      k_tile[r][p] = k[min(first_j + r, positions - 1) * pitch + piece];
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 12 lines)
    for (int p = 0; p < kPieces; ++p) {
      float4 query[kEach];
#pragma unroll
      for (int a = 0; a < kEach; ++a) query[a] = q_tile[threadIdx.y + a * kSide][p];
#pragma unroll
      for (int b = 0; b < kEach; ++b) {
        const float4 key = k_tile[threadIdx.x + b * kSide][p];
#pragma unroll
        for (int a = 0; a < kEach; ++a) sum[a][b] += dot(query[a], key);
      }
    }
    __syncthreads();
    // END: multiply
  // FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    const int i = first_i + threadIdx.y + a * kSide;
    float* const row = scores + static_cast<size_t>(i) * positions;
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int j = first_j + threadIdx.x + b * kSide;
      if (i < positions && j <= i) row[j] = sum[a][b] * scale;
    }
  }
  // END: store
