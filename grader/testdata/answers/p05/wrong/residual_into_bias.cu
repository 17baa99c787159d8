// ENTRY: kernel
// CLASS: index
// CAUSE: x is taken twice: as what GELU is of, and as the residual.
// SAYS: \bx\b|residual
// NEVER: \brace\b
// HELD: no
// FILL ME IN: fused (answer)
  float value[kPerThread], kept[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    value[i] = c < columns ? x[row + c] + bias[c] : 0.0f;
    kept[i] = 0.0f;
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = x[row + c] + gelu(value[i]);
  }
// END: fused
