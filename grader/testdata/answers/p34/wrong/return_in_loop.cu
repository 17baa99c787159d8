// ENTRY: kernel
// CLASS: control-flow
// CAUSE: Return at the first result above the diagonal: the rows below are lost.
// SAYS: never (been )?written|unwritten|not written|nobody (stored|wrote)|return
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + a, j = first_j + b;
      if (i >= positions || j > i) return;
      scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
  }
  // END: store
