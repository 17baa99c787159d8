// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: The block is launched with 128 threads where the kernel counts on 256: half of `partial` is never written, and half of the columns is never read.
// SAYS: partial|128|threads?|block
// SAYS: 128|never|written|uninitiali|half|launch
// NEVER: out.of.bounds
// HELD: no
// FILL ME IN: launch (roughly 1 lines)
  row_sums_kernel<<<rows, kThreads / 2>>>(x, out, columns);
// END: launch
