// ENTRY: partials
// CLASS: index
// CAUSE: mean and rstd are taken at the thread's slice in the block, not at the row.
// SAYS: mean|rstd|row
// NEVER: \brace\b|exchanged
// HELD: no
// FILL ME IN: strip (roughly 7 lines)
  for (int row = first + threadIdx.y; row < end; row += kSlices) {
    const size_t at = static_cast<size_t>(row) * columns + column;
    sums.x += dy[at] * ((x[at] - mean[threadIdx.y]) * rstd[threadIdx.y]);
    sums.y += dy[at];
  }
// END: strip
