// STYLE: cudaLaunchKernel with an array of arguments, a lambda for the strided loop
// FILL ME IN: normalize (roughly 3 lines)
  const auto each = [columns](auto&& body) {
    for (int c = threadIdx.x; c < columns; c += blockDim.x) body(c);
  };
  const struct { float mean, rstd; } of{__ldg(&mean[blockIdx.x]), __ldg(&rstd[blockIdx.x])};
  each([&](int c) { out_row[c] = fmaf((x_row[c] - of.mean) * of.rstd, gamma[c], beta[c]); });
// END: normalize
// FILL ME IN: launches (roughly 3 lines)
  const float* means = mean;
  const float* rstds = rstd;
  void* a[] = {&x, &mean, &columns};
  void* b[] = {&x, &means, &rstd, &columns, &eps};
  void* c[] = {&x, &gamma, &beta, &means, &rstds, &out, &columns};
  cudaLaunchKernel(reinterpret_cast<const void*>(&mean_kernel), dim3(rows), dim3(kThreads), a, 0, 0);
  cudaLaunchKernel(reinterpret_cast<const void*>(&rstd_kernel), dim3(rows), dim3(kThreads), b, 0, 0);
  cudaLaunchKernel(reinterpret_cast<const void*>(&normalize_kernel), dim3(rows), dim3(kThreads), c, 0, 0);
// END: launches
