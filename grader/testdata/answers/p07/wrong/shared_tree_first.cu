// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Every thread puts its value into shared memory first, a tree halves them down to 32, and only then do lanes shuffle: a float for each thread.
// SAYS: shared
// SAYS: 1024|1056|1,056|1,024|KiB|128|bytes
// NEVER: wrong (answer|result|value)
// HELD: no
// FILL ME IN: block_sum (roughly 5 lines)
  __shared__ float all[kThreads];
  all[threadIdx.x] = value;
  for (int half = kThreads / 2; half >= kWarp; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) all[threadIdx.x] += all[threadIdx.x + half];
  }
  if (warp == 0) value = warp_sum(all[lane]);
// END: block_sum
