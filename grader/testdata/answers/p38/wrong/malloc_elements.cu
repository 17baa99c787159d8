// ENTRY: unfused
// CLASS: allocation
// CAUSE: The buffer is allocated with as many bytes as it has floats.
// SAYS: sizeof|bytes|elements|too small|allocat
// NEVER: \brace\b|barrier
// HELD: yes
  // FILL ME IN: launch_unfused (roughly 6 lines)
  float* normalized;
  cudaMalloc(&normalized, rows * hidden);
  layernorm_kernel<<<(rows + kWarps - 1) / kWarps, kThreads>>>(x, gamma, beta, normalized, rows, hidden, eps);
  const dim3 grid((out_dim + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  linear_kernel<<<grid, kThreads>>>(normalized, weight, bias, out, rows, hidden, out_dim);
  cudaFree(normalized);
  // END: launch_unfused
