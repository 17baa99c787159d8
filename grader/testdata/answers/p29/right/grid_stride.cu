// STYLE: one float a thread, grid-stride loop
// FILL ME IN: step (roughly 20 lines)
  const long stride = static_cast<long>(gridDim.x) * blockDim.x;
  for (long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    update_parameter(parameters[i], gradients[i], m[i], v[i], adam);
// END: step
