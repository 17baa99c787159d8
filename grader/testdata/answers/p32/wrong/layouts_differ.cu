// ENTRY: partials
// CLASS: pointer
// CAUSE: Store writes partial as [strips][2][columns], finalise reads it as [2][strips][columns] (entry partials).
// SAYS: partial
// SAYS: layout|written|read|place|strips?
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
    // FILL ME IN: strip (roughly 7 lines)
  for (int r = first + threadIdx.y; r < end; r += kSlices) {
    const float d = dy[static_cast<size_t>(r) * columns + column];
    sums.x += d * (x[static_cast<size_t>(r) * columns + column] - mean[r]) * rstd[r];
    sums.y += d;
  }
  // END: strip
  // FILL ME IN: add (roughly 4 lines)
  if (threadIdx.y == 0 && column < columns) {
    atomicAdd(dgamma + column, sums.x);
    atomicAdd(dbeta + column, sums.y);
  }
  // END: add
  // FILL ME IN: store (roughly 5 lines)
  if (threadIdx.y == 0 && column < columns) {
    float* mine = partial + static_cast<size_t>(blockIdx.y) * 2 * columns;
    mine[column] = sums.x;
    mine[columns + column] = sums.y;
  }
  // END: store
  // FILL ME IN: finalise (roughly 12 lines)
  if (column < columns)
    for (int strip = threadIdx.y; strip < strips; strip += kSlices) {
      sums.x += partial[static_cast<size_t>(strip) * columns + column];
      sums.y += partial[static_cast<size_t>(strips + strip) * columns + column];
    }
  sums = sum_of_slices(sums);
  if (threadIdx.y == 0 && column < columns) {
    dgamma[column] = sums.x;
    dbeta[column] = sums.y;
  }
  // END: finalise
  // FILL ME IN: launch_atomics (roughly 4 lines)
  cudaMemset(dgamma, 0, sizeof(float) * columns);
  cudaMemset(dbeta, 0, sizeof(float) * columns);
  atomics_kernel<<<grid, block>>>(dy, x, mean, rstd, dgamma, dbeta, rows, columns, strip_rows);
  // END: launch_atomics
  // FILL ME IN: launches (roughly 2 lines)
  partials_kernel<<<grid, block>>>(dy, x, mean, rstd, partial, rows, columns, strip_rows);
  finalise_kernel<<<grid.x, block>>>(partial, dgamma, dbeta, grid.y, columns);
  // END: launches
