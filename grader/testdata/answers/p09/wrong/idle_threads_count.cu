// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Threads without a column add mean^2 to the squares, as if there were a 0 in x for each of them.
// SAYS: \brstd\b|row_rstd
// SAYS: threads|\bmean\b|zero|\bpadd|tail|without a column|row_rstd|rounded up
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)|(exactly this|divided by).*N ?- ?1|never (been )?written
// HELD: no
// FILL ME IN: row_rstd (roughly 5 lines)
  const float m = mean[blockIdx.x];
  float squares = 0.0f;
  for (int first = 0; first < columns; first += kThreads) {
    const int c = first + threadIdx.x;
    const float d = (c < columns ? x_row[c] : 0.0f) - m;
    squares += d * d;
  }
  squares = block_sum(squares);
  if (threadIdx.x == 0) rstd[blockIdx.x] = rsqrtf(squares / columns + eps);
// END: row_rstd
