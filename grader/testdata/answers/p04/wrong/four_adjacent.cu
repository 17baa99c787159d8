// ENTRY: fused
// CLASS: over-budget
// CAUSE: A thread takes four adjacent columns one float at a time, so that every request touches 16 sectors for 4 of use.
// SAYS: \bx\b|\bout\b
// SAYS: sectors?|coalesc|neighbour|adjacent|apart|stride
// NEVER: wrong (answer|result|value)|reads? x (2|3|two|three)|extra launch
// HELD: yes
// FILL ME IN: fused (roughly 10 lines)
  const int mine = blockIdx.x % tiles * kTile + threadIdx.x * kPerThread;
  for (int i = 0; i < kPerThread; ++i)
    if (mine + i < columns) out[row + mine + i] = gelu(x[row + mine + i] + bias[mine + i]);
// END: fused
