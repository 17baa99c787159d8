// ENTRY: partials
// CLASS: precision
// CAUSE: dy x and dy are summed apart and mean times the one taken from the other, row by row of a sum that is large: with values of 10000 no digits are left.
// SAYS: cancel|precision|digits|round|offset|10000|mean|error
// NEVER: \brace\b|exchanged
// HELD: no
// FILL ME IN: strip (roughly 8 lines)
  float with_mean = 0.0f;
  for (int row = first + threadIdx.y; row < end; row += kSlices) {
    const size_t at = static_cast<size_t>(row) * columns + column;
    sums.x += dy[at] * x[at] * rstd[row];
    with_mean += dy[at] * mean[row] * rstd[row];
    sums.y += dy[at];
  }
  sums.x -= with_mean;
// END: strip
