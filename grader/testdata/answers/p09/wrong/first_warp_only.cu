// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The sum is taken within a warp only; the other seven warps' parts never reach the mean.
// SAYS: warp|lanes?|\b32 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 32(?![.,]?\d)(?! of)|row_mean
// SAYS: \bmean\b
// NEVER: without (gamma|beta)|\brace\b|eps (is )?(missing|outside|inside|left out)|without eps
// HELD: yes
// FILL ME IN: row_mean (roughly 4 lines)
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += x_row[c];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;
// END: row_mean
