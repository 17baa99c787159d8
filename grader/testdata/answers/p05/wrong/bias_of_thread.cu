// ENTRY: kernel
// CLASS: index
// CAUSE: The bias is taken by the thread's number instead of the column.
// SAYS: bias
// NEVER: \brace\b
// NEVER: coalesc
// HELD: no
// FILL ME IN: fused (answer)
  float value[kPerThread], kept[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    value[i] = c < columns ? x[row + c] + bias[min((int)threadIdx.x, columns - 1)] : 0.0f;
    kept[i] = c < columns ? residual[row + c] : 0.0f;
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = kept[i] + gelu(value[i]);
  }
// END: fused
