// ENTRY: kernel
// CLASS: barrier
// CAUSE: Threads without a column leave before the barrier that all must reach.
// SAYS: barrier|__syncthreads|shfl|shuffle
// SAYS: left|leave|return|reach|exit|never
// NEVER: activemask|out.of.bounds
// HELD: no
  // FILL ME IN: one_pass (roughly 12 lines)
  if (threadIdx.x >= columns) return;
  // merged(row, {value, 1}) for each value would do: one value is its own largest, and exp(0) is 1. Here four
  // values are loaded before the first is used, and share one scaling of the sum.
  for (int first = threadIdx.x; first < columns; first += kAhead * kThreads) {
    Partial next = {row.largest, 0.0f};
    float value[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int column = first + i * kThreads;
      value[i] = column < columns ? x_row[column] : -INFINITY;  // exp(-inf) adds nothing
      next.largest = fmaxf(next.largest, value[i]);
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) next.sum += expf(value[i] - next.largest);
    next.sum += row.sum * expf(row.largest - next.largest);
    row = next;
  }
  // END: one_pass
