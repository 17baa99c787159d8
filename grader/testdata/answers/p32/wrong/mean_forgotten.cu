// ENTRY: atomics
// CLASS: missing-term
// CAUSE: The mean is not subtracted from x.
// SAYS: mean|centred|subtract
// NEVER: \brace\b|exchanged
// HELD: yes
// FILL ME IN: strip (roughly 7 lines)
  for (int row = first + threadIdx.y; row < end; row += kSlices) {
    const float d = dy[static_cast<size_t>(row) * columns + column];
    sums.x += d * x[static_cast<size_t>(row) * columns + column] * rstd[row];
    sums.y += d;
  }
// END: strip
