// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The tree adds into the register `sum` and never into `partial`: partial[0] stays the sum of thread 0 alone.
// SAYS: column|256|thread 0|part|tree|partial
// SAYS: 256|only|every|thread 0|alone|first|blank tree
// NEVER: \brace\b
// HELD: no
// FILL ME IN: tree (roughly 4 lines)
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sum += partial[thread + half];
  }
// END: tree
