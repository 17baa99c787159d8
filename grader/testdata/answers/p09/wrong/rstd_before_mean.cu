// ENTRY: kernel
// CLASS: stream-order
// CAUSE: rstd_kernel is launched before mean_kernel: it reads `mean` before anyone has written it.
// SAYS: \bmean\b|rstd_kernel|order
// SAYS: before|order|never (been )?written|not yet|later
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(put|add|missing|needs?|lacks?)\b.{0,30}__syncthreads
// HELD: no
// FILL ME IN: launches (roughly 3 lines)
  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);
  mean_kernel<<<rows, kThreads>>>(x, mean, columns);
  normalize_kernel<<<rows, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
// END: launches
