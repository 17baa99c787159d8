// ENTRY: fused
// CLASS: index
// CAUSE: Two registers for four loads.
// SAYS: register|last of 2
// SAYS: column
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: fused (roughly 11 lines)
  float kept[2];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) kept[i % 2] = x[row + c] + bias[c];
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = gelu(kept[i % 2]);
  }
  // END: fused
