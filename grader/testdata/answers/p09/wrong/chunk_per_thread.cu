// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each thread of `normalize` takes a run of adjacent columns, so that the lanes of a warp stand apart and every request touches several times the sectors.
// SAYS: \bx\b|\bout\b|\bgamma\b|\bbeta\b
// SAYS: sectors?|coalesc|neighbour|adjacent|apart|stride
// NEVER: extra launch|wrong (answer|result|value)
// HELD: no
// FILL ME IN: normalize (roughly 3 lines)
  const float m = mean[blockIdx.x], s = rstd[blockIdx.x];
  const int each = (columns + kThreads - 1) / kThreads * 8;
  for (int c = threadIdx.x * each; c < min(columns, static_cast<int>(threadIdx.x + 1) * each); ++c)
    out_row[c] = (x_row[c] - m) * s * gamma[c] + beta[c];
// END: normalize
