// What goes wrong with tensor maps: a tile that is read while it is on its way, stores that the copy engine need not see, a
// tile that is written over while it is stored, a parameter that is copied.
//# flags -std=c++17 -lineinfo -diag-suppress 20054 -gencode arch=compute_90,code=compute_90
//# exit 1
//# says race: load of 4 bytes from shared memory and asynchronous copy at line 37
//# says race: load of 16 bytes from shared memory and store at line 62
//# says let each thread that stored execute fence.proxy.async behind its stores
//# says the map is a copy in local memory; a parameter stays where it is as const __grid_constant__ CUtensorMap
//# launch hopes grid=1 block=64
//# launch fenced grid=1 block=64
//# launch fenced_by_one grid=1 block=64
//# launch unfenced grid=1 block=64
//# launch reused grid=1 block=64
//# launch copied grid=1 block=64
//# fault race-shared 54
//# fault race-shared 44
//# fault race-shared 76
//# fault race-global 82
//# fault bad-tensor-map 37
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

__device__ unsigned place(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

__device__ void load(const void* tile, const CUtensorMap* map, std::uint64_t* barrier) {
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(barrier)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(place(barrier)) : "memory");
    // The request:
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];" ::"r"(
            place(tile)),
        "l"(map), "r"(place(barrier)), "r"(0)
        : "memory");
  }
}

__device__ void store(const void* tile, const CUtensorMap* map) {
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map), "r"(place(tile)),
               "r"(0)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void hopes(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[64];
  __shared__ std::uint64_t barrier;
  load(tile, &map, &barrier);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

template <int kFenced>
__device__ void fill_and_store(const CUtensorMap* map) {
  __shared__ alignas(128) float tile[64];
  const bool fences = kFenced == 64;
  // What a thread stores:
  tile[threadIdx.x] = threadIdx.x;
  if (fences) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (kFenced == 1) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  store(tile, map);
}
__global__ void fenced(const __grid_constant__ CUtensorMap map) { fill_and_store<64>(&map); }
__global__ void fenced_by_one(const __grid_constant__ CUtensorMap map) { fill_and_store<1>(&map); }
__global__ void unfenced(const __grid_constant__ CUtensorMap map) { fill_and_store<0>(&map); }

__global__ void reused(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) float tile[64];
  for (int round = 0; round < 2; ++round) {
    tile[threadIdx.x] = round;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      // The store:
      asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];" ::"l"(&map),
                   "r"(place(tile)), "r"(0)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void copied(CUtensorMap map) {
  __shared__ alignas(128) float tile[64];
  __shared__ std::uint64_t barrier;
  load(tile, &map, &barrier);
}

int main() {
  float *tensor, *out;
  cudaMalloc(&tensor, 256);
  cudaMalloc(&out, 256);
  cudaMemset(tensor, 0, 256);
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status);
  CUtensorMap map;
  const cuuint64_t size[] = {64};
  const cuuint32_t box[] = {64}, step[] = {1};
  reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, tensor, size, nullptr, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  hopes<<<1, 64>>>(map, out);
  fenced<<<1, 64>>>(map);
  fenced_by_one<<<1, 64>>>(map);
  unfenced<<<1, 64>>>(map);
  reused<<<1, 64>>>(map);
  copied<<<1, 64>>>(map);
  cudaDeviceSynchronize();
}
