// ENTRY: kernel
// CLASS: index
// CAUSE: One register for the bias of all four columns, so the columns use the bias of the last one loaded.
// SAYS: bias
// SAYS: last|one register|other column|same
// NEVER: \brace\b|barrier|tail
// HELD: yes
  // FILL ME IN: gelu_erf (roughly 1 line)
  result = 0.5f * v * (1.0f + erff(v * kRootHalf));
  // END: gelu_erf
  // FILL ME IN: fused (roughly 14 lines)
  float v[kPerThread], bc = 0.0f, r[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) {
      v[i] = x[row + c];
      bc = bias[c];
      r[i] = residual[row + c];
    }
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = r[i] + gelu(v[i] + bc);
  }
  // END: fused
