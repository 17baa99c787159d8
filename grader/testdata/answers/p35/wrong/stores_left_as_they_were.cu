// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The stores are still one float each, 8 apart from lane to lane.
// SAYS: coalesced|sectors|out|store
// SAYS: apart|sectors|times
// NEVER: \brace\b|barrier|uninitiali
// HELD: yes
// FILL ME IN: store (roughly 14 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b)
      if (first_i + a < positions && first_j + b <= first_i + a)
        scores[static_cast<size_t>(first_i + a) * positions + first_j + b] = sum[a][b] * scale;
// END: store
