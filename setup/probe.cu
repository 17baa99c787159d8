// What set-up compiles to see that a CUDA compiler is whole: runtime, cooperative groups, bf16 and CCCL headers.
#include <cooperative_groups.h>
#include <cuda_bf16.h>

#include <cuda/std/limits>

__global__ void probe(__nv_bfloat16* p) {
  cooperative_groups::this_thread_block().sync();
  p[threadIdx.x] = __float2bfloat16(cuda::std::numeric_limits<float>::max());
}

void launch_probe(__nv_bfloat16* p) { probe<<<1, 32>>>(p); }
