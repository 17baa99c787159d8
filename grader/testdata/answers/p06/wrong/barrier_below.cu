// ENTRY: kernel
// CLASS: race
// CAUSE: The barriers of the steps from 32 down are left out although two warps touch what the step of 32 and the first after it read.
// SAYS: race|syncthreads|barrier
// SAYS: partial|shared|line|warp
// NEVER: uninitiali
// HELD: yes
// FILL ME IN: tree (roughly 4 lines)
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (half > 32) __syncthreads();
    if (thread < half) partial[thread] += partial[thread + half];
  }
// END: tree
