// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The residual is never added.
// SAYS: residual
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: fused (answer)
  float value[kPerThread], kept[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    value[i] = c < columns ? x[row + c] + bias[c] : 0.0f;
    kept[i] = c < columns ? residual[row + c] : 0.0f;
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = gelu(value[i]);
  }
// END: fused
