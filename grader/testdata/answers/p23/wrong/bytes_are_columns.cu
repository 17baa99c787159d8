// ENTRY: shared
// CLASS: allocation
// CAUSE: The launch asks for as many bytes of shared memory as there are columns, a quarter of what they need.
// SAYS: shared|bytes|kept
// SAYS: bytes|elements|end|past|outside|too (small|little|few)
// NEVER: barrier|\brace\b
// HELD: no
  // FILL ME IN: launch_shared (roughly 7 lines)
  const int bytes = columns;
  // Above 48 KiB a kernel must be allowed to have it, once, before it is launched.
  if (bytes > 48 * 1024)
    cudaFuncSetAttribute(shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  // Long rows leave room for few blocks on an SM: each then brings more threads.
  const int threads = columns <= 4096 ? 256 : kMostThreads;
  shared_kernel<<<rows, threads, bytes>>>(x, weight, out, columns, eps);
  // END: launch_shared
