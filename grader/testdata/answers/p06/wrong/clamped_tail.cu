// ENTRY: kernel
// CLASS: tail
// CAUSE: In coarsen, a thread whose column lies behind the row's end reads the last column instead (index clamped with min to columns - 1) and adds it to its sum; it should add 0. Whenever columns is not a multiple of 2 * kThreads = 512 the last value of the row is counted many times too often.
// SAYS: last column
// SAYS: again|more than once|beyond
// NEVER: \brace\b
// NEVER: barrier
// HELD: no
// FILL ME IN: coarsen (roughly 2 lines)
  const int last = columns - 1;
  float even = 0.0f, odd = 0.0f;
  for (int base = 0; base < columns; base += 2 * kThreads) {
    const int a = base + thread;
    const int b = a + kThreads;
    even += x_row[min(a, last)];
    odd += x_row[min(b, last)];
  }
  sum = even + odd;
// END: coarsen
// FILL ME IN: tree (roughly 4 lines)
  __syncthreads();
  if (thread < 32) {
    float v = 0.0f;
#pragma unroll
    for (int k = 0; k < kThreads; k += 32) v += partial[k + thread];
#pragma unroll
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    if (thread == 0) partial[0] = v;
  }
// END: tree
// FILL ME IN: launch (roughly 1 line)
  const dim3 grid(rows), block(kThreads);
  row_sums_kernel<<<grid, block>>>(x, out, columns);
// END: launch
