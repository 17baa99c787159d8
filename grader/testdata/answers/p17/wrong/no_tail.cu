// ENTRY: kernel
// CLASS: tail
// CAUSE: The loop takes only whole groups of four rounds, the columns behind the last whole group are missing in m and s.
// SAYS: sum|columns?
// SAYS: whole|fewer|left|tail|behind
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: merge (roughly 2 lines)
  both.largest = fmaxf(a.largest, b.largest);
  both.sum = a.sum * expf(a.largest - both.largest) + b.sum * expf(b.largest - both.largest);
  // END: merge
  // FILL ME IN: one_pass (roughly 12 lines)
  for (int first = threadIdx.x; first + (kAhead - 1) * kThreads < columns; first += kAhead * kThreads) {
    float v[kAhead];
    float largest = row.largest;
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int c = first + i * kThreads;
      v[i] = c < columns ? x_row[c] : -INFINITY;
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) largest = fmaxf(largest, v[i]);
    row.sum *= expf(row.largest - largest);
    row.largest = largest;
#pragma unroll
    for (int i = 0; i < kAhead; ++i) row.sum += expf(v[i] - largest);
  }
  // END: one_pass
  // FILL ME IN: write_row (roughly 3 lines)
  const float inverse = 1.0f / row.sum;
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = expf(x_row[c] - row.largest) * inverse;
  // END: write_row
