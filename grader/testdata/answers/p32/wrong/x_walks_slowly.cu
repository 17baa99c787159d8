// ENTRY: partials
// CLASS: pointer
// CAUSE: The pointer into dy is moved on by kSlices rows and the pointer into x by one row only, so dy is multiplied by x of other rows.
// SAYS: (x_at|\bx\b).*(row|step|stride|advance|slice|pointer)|(row|step|stride|advance|slice|pointer).*(x_at|\bx\b)
    // FILL ME IN: strip (roughly 7 lines)
  const int my_first = first + static_cast<int>(threadIdx.y);
  const float* dy_at = dy + static_cast<size_t>(my_first) * columns + column;
  const float* x_at = x + static_cast<size_t>(my_first) * columns + column;
  for (int row = my_first; row < end; row += kSlices) {
    const float g = *dy_at, value = *x_at;
    sums.x = fmaf(g, (value - mean[row]) * rstd[row], sums.x);
    sums.y += g;
    dy_at += static_cast<size_t>(kSlices) * columns;
    x_at += columns;
  }
  // END: strip
