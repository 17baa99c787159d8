// ENTRY: partials
// CLASS: index
// CAUSE: Partial sums are read as if each strip had one row of them.
// SAYS: partial
// SAYS: rows
// NEVER: \brace\b|barrier
// HELD: no
  // FILL ME IN: finalise (roughly 10 lines)
  if (column < columns)
    for (int s = threadIdx.y; s < strips; s += kSlices) {
      sums.x += partial[static_cast<size_t>(s) * columns + column];
      sums.y += partial[static_cast<size_t>(s + 1) * columns + column];
    }
  sums = sum_of_slices(sums);
  if (threadIdx.y == 0 && column < columns) {
    dgamma[column] = sums.x;
    dbeta[column] = sums.y;
  }
  // END: finalise
