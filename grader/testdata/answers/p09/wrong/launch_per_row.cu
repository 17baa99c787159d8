// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each row has launches of its own, one block each: 3 M launches where three will do.
// SAYS: launch
// SAYS: \brows?\b|\beach\b|\b3 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 3(?![.,]?\d)(?! of)|\bthree\b|\bmany\b|loop|times
// NEVER: uncoalesced|not coalesced|wrong (answer|result|value)
// HELD: no
// FILL ME IN: launches (roughly 3 lines)
  for (int r = 0; r < rows; ++r) {
    const float* from = x + static_cast<size_t>(r) * columns;
    mean_kernel<<<1, kThreads>>>(from, mean + r, columns);
    rstd_kernel<<<1, kThreads>>>(from, mean + r, rstd + r, columns, eps);
    normalize_kernel<<<1, kThreads>>>(from, gamma, beta, mean + r, rstd + r, out + static_cast<size_t>(r) * columns,
                                      columns);
  }
// END: launches
