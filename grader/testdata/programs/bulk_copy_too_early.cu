// A bulk copy is on its way until somebody has seen its mbarrier complete: a barrier of the block says nothing of it.
//# flags -lineinfo -gencode arch=compute_90,code=compute_90
//# exit 1
//# stdout 63 63
//# says asynchronous copy at line 29
//# launch waits grid=1 block=64
//# launch hopes grid=1 block=64
//# fault race-shared 52
#include <cstdint>
#include <cstdio>

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void begin(float* tile, const float* from, uint64_t* barrier) {
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(shared_address(barrier))
                 : "memory");
    // The request:
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
            shared_address(tile)),
        "l"(from), "r"(shared_address(barrier))
        : "memory");
  }
}

__global__ void waits(const float* in, float* out) {
  __shared__ alignas(128) float tile[64];
  __shared__ uint64_t barrier;
  begin(tile, in, &barrier);
  // One thread waits for all.
  if (threadIdx.x == 0)
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra again; }" ::"r"(
                     shared_address(&barrier))
                 : "memory");
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void hopes(const float* in, float* out) {
  __shared__ alignas(128) float tile[64];
  __shared__ uint64_t barrier;
  begin(tile, in, &barrier);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
  float *in, *out, host[64], first, second;
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  waits<<<1, 64>>>(in, out);
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  hopes<<<1, 64>>>(in, out);
  cudaMemcpy(&second, out, sizeof second, cudaMemcpyDeviceToHost);
  std::printf("%.0f %.0f\n", first, second);
}
