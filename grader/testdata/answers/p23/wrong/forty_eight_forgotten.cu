// ENTRY: shared
// CLASS: allocation
// CAUSE: Rows of more than 48 KiB of shared memory are launched without cudaFuncSetAttribute.
// SAYS: shared memory
// SAYS: cudaFuncSetAttribute|49152|48 KiB
// NEVER: \brace\b|eps (is )?missing
// HELD: no
// FILL ME IN: launch_shared (roughly 3 lines)
  shared_kernel<<<rows, 256, columns * sizeof(float)>>>(x, weight, out, columns, eps);
// END: launch_shared
