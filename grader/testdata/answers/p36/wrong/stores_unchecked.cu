// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Results behind the last position are stored.
// SAYS: out-of-bounds|past|outside|beyond|race
// SAYS: out|end|rows?
// NEVER: barrier|uninitiali
// HELD: yes
// FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + threadIdx.y + a * kSide, j = first_j + threadIdx.x + b * kSide;
      scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
// END: store
