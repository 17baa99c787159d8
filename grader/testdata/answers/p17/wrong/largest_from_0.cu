// ENTRY: kernel
// CLASS: scaling
// CAUSE: The largest value so far starts at 0: a row far below 0 has a sum of 0.
// SAYS: largest|maximum
// SAYS: \b0\b|below|begin|start
// NEVER: \brace\b|barrier|eps
// HELD: no
  // FILL ME IN: one_pass (roughly 6 lines)
  row = {0.0f, 0.0f};
  for (int c = threadIdx.x; c < columns; c += kThreads) {
    const float v = x_row[c], largest = fmaxf(row.largest, v);
    row.sum = row.sum * __expf(row.largest - largest) + __expf(v - largest);
    row.largest = largest;
  }
  // END: one_pass
