// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each thread has four columns in a row, one at a time: lanes stand 16 bytes apart.
// SAYS: \bx\b|\bout\b|\bresidual\b
// SAYS: coalesc|sectors?|apart
// NEVER: wrong (answer|value)
// HELD: no
// FILL ME IN: fused (answer)
  const int mine = blockIdx.x % tiles * kTile + threadIdx.x * kPerThread;
  for (int c = mine; c < mine + kPerThread && c < columns; ++c)
    out[row + c] = residual[row + c] + gelu(x[row + c] + bias[c]);
// END: fused
