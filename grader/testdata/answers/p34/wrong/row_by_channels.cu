// ENTRY: kernel
// CLASS: index
// CAUSE: Row of scores taken to be `channels` wide.
// SAYS: pitch|wide|row|stride|channels|race|place
// HELD: yes
  // FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + a, j = first_j + b;
      if (i < positions && j <= i) scores[static_cast<size_t>(i) * channels + j] = sum[a][b] * scale;
    }
  }
  // END: store
