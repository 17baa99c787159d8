// ENTRY: kernel
// CLASS: over-budget
// CAUSE: One thread adds up the 256 sums that all threads have put into shared memory: 1 KiB of it.
// SAYS: shared
// SAYS: 1024|1,024|KiB|128|bytes
// NEVER: wrong (answer|result|value)
// HELD: yes
// FILL ME IN: block_sum (roughly 5 lines)
  __shared__ float all[kThreads];
  all[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 1; i < kThreads; ++i) value += all[i];
// END: block_sum
