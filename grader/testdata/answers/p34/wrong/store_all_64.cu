// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: All 64 results are stored, also behind the last position.
// SAYS: out-of-bounds|past|outside|beyond|race
// SAYS: out|end|rows?|store
// NEVER: barrier|uninitiali
// HELD: yes
// FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + a, j = first_j + b;
      scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
// END: store
