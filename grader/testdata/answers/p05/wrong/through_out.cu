// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The residual goes to out first, and out is read again to add GELU.
// SAYS: \bout\b
// NEVER: coalesc
// NEVER: wrong (answer|value)
// HELD: yes
// FILL ME IN: fused (answer)
#pragma unroll 1
  for (int i = 0; i < kPerThread; ++i)
    if (first + i * kThreads < columns) out[row + first + i * kThreads] = residual[row + first + i * kThreads];
#pragma unroll 1
  for (int i = 0; i < kPerThread; ++i) {
    const int c = first + i * kThreads;
    if (c < columns) out[row + c] = out[row + c] + gelu(x[row + c] + bias[c]);
  }
// END: fused
