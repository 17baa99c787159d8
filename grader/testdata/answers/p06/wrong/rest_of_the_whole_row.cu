// ENTRY: kernel
// CLASS: tail
// CAUSE: What is left over behind the float4s is counted from `columns` and not from `columns - head`: with an unaligned row values are added twice or lost.
// SAYS: columns - head
// NEVER: \brace\b
// NEVER: barrier
// HELD: no
  // FILL ME IN: coarsen (roughly 2 lines)
  // up to three floats until the row is aligned, then float4, then what is left over
  const int misaligned = static_cast<int>(reinterpret_cast<size_t>(x_row) % 16 / 4);
  const int head = min((4 - misaligned) % 4, columns);
  if (thread < head) sum += x_row[thread];
  const float4* quads = reinterpret_cast<const float4*>(x_row + head);
  const int count = (columns - head) / 4;
#pragma unroll 2
  for (int i = thread; i < count; i += kThreads) {
    const float4 q = quads[i];
    sum += (q.x + q.y) + (q.z + q.w);
  }
  const int left = columns % 4;
  if (thread < left) sum += x_row[columns - left + thread];
  // END: coarsen
  // FILL ME IN: tree (roughly 4 lines)
  for (int half = kThreads / 2; half >= 1; half >>= 1) {
    __syncthreads();
    if (thread < half) partial[thread] += partial[thread + half];
  }
  // END: tree
  // FILL ME IN: launch (roughly 1 line)
  row_sums_kernel<<<rows, kThreads>>>(x, out, columns);
  // END: launch
