// ENTRY: fused
// CLASS: index
// CAUSE: bias is read at the row and not at the column.
// SAYS: bias
// SAYS: row
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: fused (roughly 10 lines)
  float v[kPerThread];
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) v[i] = x[row + c] + bias[blockIdx.x / tiles];
  }
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = gelu(v[i]);
  }
  // END: fused
