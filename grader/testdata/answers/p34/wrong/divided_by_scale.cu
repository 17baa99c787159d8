// ENTRY: kernel
// CLASS: scaling
// CAUSE: Divided by 1 / sqrt(HS): that multiplies by the root.
// SAYS: HS|scale|times|root|store
// SAYS: HS|times|multipl|scale|store
// NEVER: \brace\b|barrier|uninitiali
// HELD: yes
// FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + a, j = first_j + b;
      if (i < positions && j <= i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b] / scale;
    }
// END: store
