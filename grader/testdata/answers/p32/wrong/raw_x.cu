// ENTRY: partials
// CLASS: missing-term
// CAUSE: dgamma is summed with x instead of xhat: neither mean nor rstd.
// SAYS: xhat|mean|rstd|\bx\b
// NEVER: \brace\b|exchanged
// HELD: no
// FILL ME IN: strip (roughly 7 lines)
#pragma unroll 4
  for (int row = first + threadIdx.y; row < end; row += kSlices) {
    const size_t at = static_cast<size_t>(row) * columns + column;
    sums.x += dy[at] * x[at];
    sums.y += dy[at];
  }
// END: strip
