// ENTRY: shared
// CLASS: race
// CAUSE: Thread 0 adds up the whole row without a barrier after the others have put it into shared memory.
// SAYS: barrier|__syncthreads|\brace\b|before|same time
// SAYS: kept|shared
// NEVER: eps (is )?missing|weight (is )?missing
// HELD: no
// FILL ME IN: keep_in_shared (roughly 3 lines)
  for (int c = threadIdx.x; c < columns; c += blockDim.x) kept[c] = x_row[c];
  float sum = 0.0f;
  if (threadIdx.x == 0)
    for (int c = 0; c < columns; ++c) sum += kept[c] * kept[c];
  inverse_rms = rsqrtf(block_sum(sum) / columns + eps);
// END: keep_in_shared
