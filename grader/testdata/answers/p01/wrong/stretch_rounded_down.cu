// ENTRY: kernel
// CLASS: tail
// CAUSE: Each block takes n / gridDim.x elements, rounded down: what is left over no block copies.
// SAYS: rounded up|left over|rest|last elements
// SAYS: each|gridDim|blocks?|stretch
// NEVER: \brace\b
// NEVER: barrier
// HELD: no
// FILL ME IN: copy_loop
  const int each = n / gridDim.x;
  const int start = blockIdx.x * each;
  for (int i = start + threadIdx.x; i < start + each; i += blockDim.x) out[i] = x[i];
// END: copy_loop
// FILL ME IN: launch
  const int blocks = n < 1024 ? 1 : (n < 65536 ? 4 : 528);
  copy_kernel<<<blocks, kThreads>>>(x, out, n);
// END: launch
