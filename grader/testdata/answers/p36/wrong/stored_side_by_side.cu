// ENTRY: kernel
// CLASS: index
// CAUSE: The results are stored as if a thread's 8 x 8 lay side by side; they lie 16 apart.
// SAYS: store|rows?|columns?|side by side|place|out
// SAYS: side by side|place|store|apart|order|exchang|row
// NEVER: \brace\b|barrier
// HELD: no
// FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + threadIdx.y * kEach + a, j = first_j + threadIdx.x * kEach + b;
      if (i < positions && j <= i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
// END: store
