// ENTRY: kernel
// CLASS: over-budget
// CAUSE: normalize_kernel is launched twice with the same arguments: one launch and two passes for nothing.
// SAYS: launch
// SAYS: 4|four|twice|again|one more|extra|normalize
// NEVER: uncoalesced|not coalesced|wrong (answer|result|value)
// HELD: yes
// FILL ME IN: launches (roughly 3 lines)
  mean_kernel<<<rows, kThreads>>>(x, mean, columns);
  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
// END: launches
