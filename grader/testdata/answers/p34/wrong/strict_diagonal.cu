// ENTRY: kernel
// CLASS: tail
// CAUSE: j < i leaves the diagonal out.
// SAYS: diagonal|never written|nobody|not written
// SAYS: diagonal|never written|nobody|not written|unwritten
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + a, j = first_j + b;
      if (i < positions && j < i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
// END: store
