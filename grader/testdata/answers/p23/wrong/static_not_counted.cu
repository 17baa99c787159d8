// ENTRY: shared
// CLASS: allocation
// CAUSE: More shared memory is asked for only where the row alone passes 48 KiB: block_sum's own array counts too.
// SAYS: shared memory
// SAYS: cudaFuncSetAttribute|49152|48 KiB
// NEVER: \brace\b|eps (is )?missing
// HELD: no
// FILL ME IN: launch_shared (roughly 4 lines)
  const int bytes = columns * static_cast<int>(sizeof(float));
  if (bytes > 48 * 1024)
    cudaFuncSetAttribute(shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  shared_kernel<<<rows, 512, bytes>>>(x, weight, out, columns, eps);
// END: launch_shared
