// STYLE: pieces of 16 bytes, and the last three floats by themselves
#include <cuda_runtime.h>

__global__ void wide(const float* x, float* out, long n) {
  const long me = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  // FILL ME IN: copy_loop
  if (me < n / 4) reinterpret_cast<float4*>(out)[me] = reinterpret_cast<const float4*>(x)[me];
  const long rest = n / 4 * 4 + me;
  if (rest < n) out[rest] = x[rest];
  // END: copy_loop
}

void copy(const float* x, float* out, long n) {
  if (n < 1) return;
  // FILL ME IN: launch
  const long threads = n / 4 > 4 ? n / 4 : 4;
  wide<<<static_cast<int>((threads + 127) / 128), 128>>>(x, out, n);
  // END: launch
}
