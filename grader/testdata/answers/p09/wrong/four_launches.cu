// ENTRY: kernel
// CLASS: over-budget
// CAUSE: normalize_kernel is launched twice with the same arguments: one launch and two passes for nothing.
// SAYS: launch
// SAYS: \b4 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 4(?![.,]?\d)(?! of)|\bfour\b|twice|\bagain\b|one more|extra|normalize
// NEVER: uncoalesced|not coalesced|wrong (answer|result|value)
// HELD: yes
// FILL ME IN: launches (roughly 3 lines)
  mean_kernel<<<rows, kThreads>>>(x, mean, columns);
  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
// END: launches
