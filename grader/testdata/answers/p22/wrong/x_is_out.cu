// ENTRY: kernel
// CLASS: aliasing
// CAUSE: The launch passes out where x belongs: the kernel reads out before anyone has written it.
// SAYS: \bout\b|\bx\b
// SAYS: before|never (been )?written|uninitiali|never read|nobody|not read
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b|no loop
// HELD: no
// FILL ME IN: launch (roughly 1 line)
  rmsnorm_kernel<<<rows, kThreads>>>(out, weight, out, rows, columns, eps);
// END: launch
