// ENTRY: kernel
// CLASS: host-only
// CAUSE: The host function asks for a copy and launches no kernel.
// SAYS: kernel|launch
// NEVER: race|coalesc
// HELD: yes
// FILL ME IN: launch (answer)
  cudaMemcpy(out, x, sizeof(float) * n, cudaMemcpyDeviceToDevice);
// END: launch
