// ENTRY: partials
// CLASS: missing-term
// CAUSE: Finalise stores the sums of slice 0 alone.
// SAYS: finalise|slice|threads|part|lanes
// NEVER: every answer is right|\brace\b|barrier
// HELD: no
  // FILL ME IN: finalise (roughly 12 lines)
  if (column < columns) {
    for (int strip = threadIdx.y; strip < strips; strip += kSlices) {
      const float* from = partial + static_cast<size_t>(strip) * 2 * columns;
      sums.x += from[column];
      sums.y += from[columns + column];
    }
  }
  if (threadIdx.y == 0 && column < columns) {
    dgamma[column] = sums.x;
    dbeta[column] = sums.y;
  }
  // END: finalise
