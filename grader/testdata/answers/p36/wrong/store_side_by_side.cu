// ENTRY: kernel
// CLASS: index
// CAUSE: The 8 results of a thread are stored side by side; they are 16 columns apart.
// SAYS: side by side|apart|order|position
// NEVER: \brace\b|barrier
// HELD: yes
    // FILL ME IN: load_tiles (roughly 7 lines)
    for (int n = thread; n < kTile * kPieces; n += kThreads) {
      const int r = n / kPieces, p = n % kPieces;
      const bool there = first + p < pieces;
      const float4 zero = {0, 0, 0, 0};
      q_tile[r][p] = there && first_i + r < positions ? q[(first_i + r) * pitch + first + p] : zero;
      k_tile[r][p] = there && first_j + r < positions ? k[(first_j + r) * pitch + first + p] : zero;
    }
    __syncthreads();
    // END: load_tiles
    // FILL ME IN: multiply (roughly 12 lines)
    for (int p = 0; p < kPieces; ++p) {
      float4 a[kEach], b[kEach];
      for (int n = 0; n < kEach; ++n) {
        a[n] = q_tile[threadIdx.y + n * kSide][p];
        b[n] = k_tile[threadIdx.x + n * kSide][p];
      }
      for (int i = 0; i < kEach; ++i)
        for (int j = 0; j < kEach; ++j) sum[i][j] += dot(a[i], b[j]);
    }
    __syncthreads();
    // END: multiply
  // FILL ME IN: store (roughly 7 lines)
  for (int a = 0; a < kEach; ++a)
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + threadIdx.y + a * kSide, j = first_j + threadIdx.x * kEach + b;
      if (i < positions && j <= i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
  // END: store
