// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: The stores are not compared with the number of columns.
// SAYS: out-of-bounds|past the end|beyond|bound|race|row|blank|column
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
    if (c < kTile * tiles) out[row + c] = kept[i] + gelu(value[i]);
  }
// END: fused
