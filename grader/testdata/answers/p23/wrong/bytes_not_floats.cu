// ENTRY: shared
// CLASS: allocation
// CAUSE: The third launch argument counts bytes; columns is the number of floats.
// SAYS: shared
// SAYS: past|behind|beyond|outside|end|out.of.bounds|bytes
// NEVER: \brace\b|eps (is )?missing|weight (is )?missing
// HELD: yes
// FILL ME IN: launch_shared (roughly 3 lines)
  if (columns > 12288) cudaFuncSetAttribute(shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, columns);
  shared_kernel<<<rows, 512, columns>>>(x, weight, out, columns, eps);
// END: launch_shared
