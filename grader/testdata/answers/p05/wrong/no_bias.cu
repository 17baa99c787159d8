// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The bias is never added.
// SAYS: bias
// NEVER: \brace\b
// NEVER: coalesc
// HELD: yes
// FILL ME IN: fused (answer)
  float value[kPerThread], kept[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    value[i] = c < columns ? x[row + c] : 0.0f;
    kept[i] = c < columns ? residual[row + c] : 0.0f;
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = kept[i] + gelu(value[i]);
  }
// END: fused
