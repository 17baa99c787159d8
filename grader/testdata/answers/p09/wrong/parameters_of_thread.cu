// ENTRY: kernel
// CLASS: index
// CAUSE: gamma and beta are indexed by threadIdx.x: from column 256 on they are those of the columns before.
// SAYS: gamma|beta
// SAYS: % ?256|threadIdx|thread|block of 256|index
// NEVER: \brace\b|without (gamma|beta)
// HELD: no
// FILL ME IN: normalize (roughly 4 lines)
  const float m = mean[blockIdx.x], s = rstd[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = (x_row[c] - m) * s * gamma[threadIdx.x] + beta[threadIdx.x];
// END: normalize
