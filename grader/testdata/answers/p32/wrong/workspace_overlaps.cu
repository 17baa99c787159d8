// ENTRY: partials
// CLASS: index
// CAUSE: A strip has `columns` floats of the workspace and not 2 * columns: dbeta of one lies on dgamma of the next.
// SAYS: overlap|own (output|place)|same place|race|partial
// NEVER: barrier
// HELD: yes
  // FILL ME IN: store (roughly 5 lines)
  if (threadIdx.y == 0 && column < columns) {
    float* to = partial + static_cast<size_t>(blockIdx.y) * columns;
    to[column] = sums.x;
    to[columns + column] = sums.y;
  }
  // END: store
  // FILL ME IN: finalise (roughly 12 lines)
  if (column < columns) {
    for (int strip = threadIdx.y; strip < strips; strip += kSlices) {
      const float* from = partial + static_cast<size_t>(strip) * columns;
      sums.x += from[column];
      sums.y += from[columns + column];
    }
  }
  sums = sum_of_slices(sums);
  if (threadIdx.y == 0 && column < columns) {
    dgamma[column] = sums.x;
    dbeta[column] = sums.y;
  }
  // END: finalise
