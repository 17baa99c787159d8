// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The normalize launch has one block for each column instead of each row.
// SAYS: grid|blocks?\b|normalize_kernel|launch
// SAYS: columns|rows?\b|out.of.bounds|past (the|its) end|beyond|before the start|outside|past the|never (been )?written|not written|unwritten|unchanged|nobody w|no one w|no thread w|untouched|left as|nothing wr|never stored
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b
// HELD: no
// FILL ME IN: launches (roughly 3 lines)
  mean_kernel<<<rows, kThreads>>>(x, mean, columns);
  rstd_kernel<<<rows, kThreads>>>(x, mean, rstd, columns, eps);
  normalize_kernel<<<columns, kThreads>>>(x, gamma, beta, mean, rstd, out, columns);
// END: launches
