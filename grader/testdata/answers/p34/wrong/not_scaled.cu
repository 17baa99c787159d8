// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The scores are not divided by sqrt(HS).
// SAYS: sqrt\(HS\)|scale|divided|HS
// SAYS: not divided|times|left out|without|scale
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + a, j = first_j + b;
      if (i < positions && j <= i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b];
    }
// END: store
