// ENTRY: kernel
// CLASS: tail
// CAUSE: `normalize` stops at the last whole block of 256 columns; the rest of the row is never written.
// SAYS: \bout\b|columns?\b
// SAYS: never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored|tail|the rest|multiple of 256|whole blocks
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|cudaMemset
// HELD: no
// FILL ME IN: normalize (roughly 3 lines)
  const float m = mean[blockIdx.x], s = rstd[blockIdx.x];
  const int whole = columns / kThreads * kThreads;
  for (int c = threadIdx.x; c < whole; c += kThreads) out_row[c] = (x_row[c] - m) * s * gamma[c] + beta[c];
// END: normalize
