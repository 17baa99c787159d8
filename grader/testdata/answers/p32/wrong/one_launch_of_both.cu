// ENTRY: partials
// CLASS: race
// CAUSE: The partials are added up in the same kernel, by the blocks of the first strip, which do not wait for the others.
// SAYS: race|never (been )?written|before|order|wait
// NEVER: exchanged|\brstd\b
// HELD: no
// FILL ME IN: finalise (roughly 6 lines)
  if (threadIdx.y == 0 && column < columns && blockIdx.y == 0) {
    for (int strip = 0; strip < strips; ++strip) sums.x += partial[2 * strip * columns + column];
    for (int strip = 0; strip < strips; ++strip) sums.y += partial[(2 * strip + 1) * columns + column];
    dgamma[column] = sums.x;
    dbeta[column] = sums.y;
  }
// END: finalise
// FILL ME IN: launches (roughly 2 lines)
  finalise_kernel<<<grid.x, block>>>(partial, dgamma, dbeta, grid.y, columns);
  partials_kernel<<<grid, block>>>(dy, x, mean, rstd, partial, rows, columns, strip_rows);
// END: launches
