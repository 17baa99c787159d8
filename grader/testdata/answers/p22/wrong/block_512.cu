// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The launch asks for 512 threads; __launch_bounds__ promises at most 256.
// SAYS: 512|launch_bounds|256
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|\brace\b
// HELD: yes
// FILL ME IN: launch (roughly 1 line)
  rmsnorm_kernel<<<rows, 2 * kThreads>>>(x, weight, out, rows, columns, eps);
// END: launch
