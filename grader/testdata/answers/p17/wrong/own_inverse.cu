// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The reciprocal is taken of the thread's own sum, before the sums of the block are merged.
// SAYS: sum
// SAYS: own|thread|not added up|block|lane
// NEVER: \brace\b|barrier|\bmask\b
// HELD: no
  // FILL ME IN: merge (roughly 2 lines)
  both.largest = fmaxf(a.largest, b.largest);
  both.sum = a.sum * expf(a.largest - both.largest) + b.sum * expf(b.largest - both.largest);
  // END: merge
  // FILL ME IN: one_pass (roughly 12 lines)
  for (int first = threadIdx.x; first < columns; first += kAhead * kThreads) {
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
  const float inverse = 1.0f / row.sum;
  // END: one_pass
  // FILL ME IN: write_row (roughly 3 lines)
  for (int c = threadIdx.x; c < columns; c += kThreads) out_row[c] = expf(x_row[c] - row.largest) * inverse;
  // END: write_row
