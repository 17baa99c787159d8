// ENTRY: shared
// CLASS: uninitialised
// CAUSE: Only the first round of the loop puts its values into shared memory.
// SAYS: kept|shared
// SAYS: never|uninitiali|not written|nobody|undefined
// NEVER: out.of.bounds|put __syncthreads
// HELD: no
  // FILL ME IN: keep_in_shared (roughly 8 lines)
  float sum = 0.0f;
  // Four loads before the first is used: the wait for memory is long, and four wait together.
#pragma unroll 4
  for (int column = threadIdx.x; column < columns; column += blockDim.x) {
    const float value = x_row[column];
    if (column < blockDim.x) kept[column] = value;
    sum += value * value;
  }
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
  // END: keep_in_shared
