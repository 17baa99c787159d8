// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The loads are still one float each.
// SAYS: requests?|loads?|sectors|bytes
// SAYS: float4|16 bytes|4 bytes|times|sectors
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
// FILL ME IN: products (roughly 10 lines)
  for (int c = 0; c < channels; ++c)
#pragma unroll
    for (int a = 0; a < kEach; ++a) {
      const float mine = reinterpret_cast<const float*>(q_row[a])[c];
#pragma unroll
      for (int b = 0; b < kEach; ++b) sum[a][b] += mine * reinterpret_cast<const float*>(k_row[b])[c];
    }
// END: products
