// ENTRY: kernel
// CLASS: index
// CAUSE: ThreadIdx.x and threadIdx.y exchanged when storing.
// SAYS: exchang|transpos|swap|threadIdx
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    const int i = first_i + threadIdx.x + a * kSide;
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int j = first_j + threadIdx.y + b * kSide;
      if (i < positions && j <= i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
  }
  // END: store
