// ENTRY: kernel
// CLASS: precision
// CAUSE: Each value goes through half precision on its way.
// SAYS: half|fp16|float16|precision|11 bits
// NEVER: race|coalesc|bf16
// HELD: no
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void copy_kernel(const float* x, float* out, long n) {
  const long first = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  // FILL ME IN: copy_loop
  if (first < n) {
    const __half value = __float2half(x[first]);
    out[first] = __half2float(value);
  }
  // END: copy_loop
}

void copy(const float* x, float* out, long n) {
  if (n == 0) return;
  // FILL ME IN: launch
  copy_kernel<<<(n + 255) / 256, 256>>>(x, out, n);
  // END: launch
}
