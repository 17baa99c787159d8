// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Sums are kept 32 words apart, so that all lanes of a warp want the same bank.
// SAYS: bank|conflict
// NEVER: wrong (answer|result|value)
// NEVER: coalesc
// HELD: no
// FILL ME IN: tree (roughly 4 lines)
  __shared__ float apart[kThreads * 32];
  apart[thread * 32] = sum;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) apart[thread * 32] += apart[(thread + half) * 32];
  }
  if (thread == 0) partial[0] = apart[0];
// END: tree
