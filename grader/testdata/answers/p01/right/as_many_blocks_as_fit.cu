// STYLE: asks the runtime how many blocks the GPU holds at once
#include <cuda_runtime.h>

static __global__ void persistent(float const* __restrict__ from, float* __restrict__ to, long count) {
  // FILL ME IN: copy_loop
  for (unsigned long at = blockIdx.x * 512ul + threadIdx.x; at < (unsigned long)count; at += gridDim.x * 512ul)
    __stcs(to + at, __ldcs(from + at));
  // END: copy_loop
}

void copy(const float* x, float* out, long n) {
  if (n == 0) return;
  // FILL ME IN: launch
  int device = 0, sms = 1, each = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, persistent, 512, 0);
  void* arguments[] = {&x, &out, &n};
  cudaLaunchKernel(reinterpret_cast<const void*>(persistent), dim3(sms * each), dim3(512), arguments, 0, nullptr);
  // END: launch
}
