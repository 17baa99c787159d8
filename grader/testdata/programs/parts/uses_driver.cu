// Links the driver's library for tensor maps, as programs for Hopper do, and asks for more than there is.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

struct alignas(64) Map {
  std::uint64_t opaque[16];
};
extern "C" int cuInit(unsigned);
extern "C" int cuCtxCreate_v2(void** context, unsigned flags, int device);
extern "C" int cuGetErrorName(int error, const char** name);
extern "C" int cuTensorMapEncodeTiled(Map*, int element, std::uint32_t rank, void* address,
                                      const std::uint64_t* size, const std::uint64_t* stride,
                                      const std::uint32_t* box, const std::uint32_t* step, int interleave,
                                      int swizzle, int promotion, int fill);

// One tile of 16 floats.
__global__ void copy(const __grid_constant__ Map map, float* out) {
  __shared__ alignas(128) float tile[32];
  __shared__ alignas(8) std::uint64_t bar;
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile)),
             told = static_cast<std::uint32_t>(__cvta_generic_to_shared(&bar));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.proxy.async;" ::"r"(told));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 64;" ::"r"(told));
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(at),
                 "l"(&map), "r"(16), "r"(told)
                 : "memory");
  }
  __syncthreads();
  asm volatile("{ .reg .pred done; WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0; @!done bra WAIT; }" ::"r"(told)
               : "memory");
  if (threadIdx.x < 16) out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  float host[64], *data, *out;
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&data, sizeof host);
  cudaMalloc(&out, 64);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  Map map;
  const std::uint64_t size = 64;
  const std::uint32_t box = 16, step = 1;
  std::printf("init %d, ", cuInit(0));
  std::printf("encoded %d, ", cuTensorMapEncodeTiled(&map, 7, 1, data, &size, nullptr, &box, &step, 0, 0, 0, 0));
  const char* name = "";
  const int refused = cuTensorMapEncodeTiled(&map, 7, 6, data, &size, nullptr, &box, &step, 0, 0, 0, 0);
  cuGetErrorName(refused, &name);
  copy<<<1, 32>>>(map, out);
  cudaMemcpy(host, out, 64, cudaMemcpyDeviceToHost);
  void* context = nullptr;
  std::printf("refused %d %s, copied %g to %g, context %d\n", refused, name, host[0], host[15],
              cuCtxCreate_v2(&context, 0, 0));
}
