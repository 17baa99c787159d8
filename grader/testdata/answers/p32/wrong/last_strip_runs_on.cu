// ENTRY: atomics
// CLASS: tail
// CAUSE: The last strip is not cut off where the rows end.
// SAYS: past|end|outside|behind|beyond|bound
// NEVER: exchanged
// HELD: no
// FILL ME IN: strip (roughly 7 lines)
  for (int i = threadIdx.y; i < strip_rows; i += kSlices) {
    const int row = first + i;
    const size_t at = static_cast<size_t>(row) * columns + column;
    sums.x += dy[at] * ((x[at] - mean[row]) * rstd[row]);
    sums.y += dy[at];
  }
// END: strip
