// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: A block of 4096 threads: 1024 is the most.
// SAYS: block
// SAYS: 1024|limit|refused|too (many|large)
// NEVER: race|coalesc
// HELD: no
// FILL ME IN: launch (answer)
  copy_kernel<<<(n + 4095) / 4096, 4096>>>(x, out, n);
// END: launch
