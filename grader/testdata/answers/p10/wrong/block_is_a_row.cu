// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: Blocks of 32 threads are launched, and the kernel counts four rows for each block: three rows of four have no warp.
// SAYS: never written|not written|unwritten|no (thread|warp|block)|rows?|grid|launch|threads?
// SAYS: rows?|block|grid|thread|launch
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: launch (roughly 2 lines)
  layernorm_kernel<<<(rows + 3) / 4, kWarp>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
// END: launch
