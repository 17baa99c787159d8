// STYLE: the tree that keeps every second, fourth, ... thread: idle lanes, and no bank conflict
// FILL ME IN: tree (roughly 4 lines)
  for (int apart = 1; apart < kThreads; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) partial[thread] += partial[thread + apart];
  }
// END: tree
