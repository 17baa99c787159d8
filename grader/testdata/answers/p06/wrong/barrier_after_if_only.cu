// ENTRY: kernel
// CLASS: race
// CAUSE: The barrier stands behind each step and none stands before the first: the first step reads sums that other warps have not left yet.
// SAYS: race|syncthreads|barrier
// SAYS: partial|shared|line
// NEVER: uninitiali
// HELD: no
// FILL ME IN: tree (roughly 4 lines)
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (thread < half) partial[thread] += partial[thread + half];
    __syncthreads();
  }
// END: tree
