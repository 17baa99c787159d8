// ENTRY: kernel
// CLASS: index
// CAUSE: Sums are made of neighbouring rows and stored to rows 16 apart.
// SAYS: q\b
// SAYS: side by side|16 apart
// NEVER: \brace\b|barrier|bank
// HELD: yes
  // FILL ME IN: multiply (roughly 5 lines)
    for (int p = 0; p < kPieces; ++p)
      for (int a = 0; a < kEach; ++a)
        for (int b = 0; b < kEach; ++b)
          sum[a][b] += dot(q_tile[threadIdx.y * kEach + a][p], k_tile[threadIdx.x + b * kSide][p]);
    __syncthreads();
  // END: multiply
