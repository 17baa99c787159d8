// Tiles of tensors by the driver's tensor maps, as the programming guide of CUDA has it: from global memory into shared
// memory with an mbarrier, and back by a bulk group; swizzled for a transpose; added to what is there.
//# flags -std=c++17 -lineinfo -diag-suppress 20054 -gencode arch=compute_90,code=compute_90
//# stdout copied 1 edge 1 transposed 1 added 1 refused 1
//# launch twice grid=4x3 block=128
//# launch transpose grid=4x3 block=256
//# launch add grid=1 block=64
#include <cuda.h>
#include <cuda/barrier>

#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

constexpr int kRows = 70, kColumns = 100, kTile = 32;

// Each tile is loaded, doubled and stored; what lies outside the tensor reads as 0 and is not stored.
__global__ void twice(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(128) int tile[kTile][kTile];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier bar;
  const int x = blockIdx.x * kTile, y = blockIdx.y * kTile;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &in, x, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int row = threadIdx.x / kTile; row < kTile; row += blockDim.x / kTile) tile[row][threadIdx.x % kTile] *= 2;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&out, x, y, tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

// Rows of 128 bytes, of which the 16-byte pieces are swizzled by the row: those who read a column meet 4 to a bank, not 32.
__global__ void transpose(const __grid_constant__ CUtensorMap in, int* out, int rows, int columns) {
  __shared__ alignas(1024) int tile[kTile][kTile];
  __shared__ Barrier bar;
  const int x = blockIdx.x * kTile, y = blockIdx.y * kTile;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &in, x, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  const int row = threadIdx.x % kTile;
  for (int column = threadIdx.x / kTile; column < kTile; column += blockDim.x / kTile)
    if (x + column < columns && y + row < rows)
      out[(x + column) * rows + y + row] = tile[row][column ^ row % 8 * 4];
}

__constant__ CUtensorMap kept;

__global__ void add() {
  __shared__ alignas(128) int tile[kTile][kTile];
  for (int i = threadIdx.x; i < kTile * kTile; i += blockDim.x) tile[i / kTile][i % kTile] = i;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&kept),
                 "r"(80), "r"(50), "r"(from)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

using Encode = decltype(&cuTensorMapEncodeTiled);

Encode find_encode() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status);
  return status == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(found) : nullptr;
}

CUresult encode(CUtensorMap* map, int* tensor, cuuint32_t box, CUtensorMapSwizzle swizzle) {
  const cuuint64_t size[] = {kColumns, kRows}, stride[] = {kColumns * sizeof(int)};
  const cuuint32_t boxes[] = {box, kTile}, step[] = {1, 1};
  return find_encode()(map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, tensor, size, stride, boxes, step,
                       CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

int main() {
  int *in, *out;
  std::vector<int> host(kRows * kColumns), back(host.size());
  for (int i = 0; i < kRows * kColumns; ++i) host[i] = i;
  const std::size_t bytes = host.size() * sizeof(int);
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
  CUtensorMap from, to;
  encode(&from, in, kTile, CU_TENSOR_MAP_SWIZZLE_NONE);
  encode(&to, out, kTile, CU_TENSOR_MAP_SWIZZLE_NONE);
  const dim3 grid((kColumns + kTile - 1) / kTile, (kRows + kTile - 1) / kTile);
  const auto read = [&] { cudaMemcpy(back.data(), out, bytes, cudaMemcpyDeviceToHost); };

  twice<<<grid, 128>>>(from, to);
  read();
  bool copied = true, edge = true, transposed = true, added = true;
  for (int i = 0; i < kRows * kColumns; ++i) (i % kColumns < 96 && i / kColumns < 64 ? copied : edge) &= back[i] == 2 * i;

  encode(&from, in, kTile, CU_TENSOR_MAP_SWIZZLE_128B);
  transpose<<<grid, 256>>>(from, out, kRows, kColumns);
  read();
  for (int i = 0; i < kRows * kColumns; ++i) transposed &= back[i % kColumns * kRows + i / kColumns] == i;

  cudaMemset(out, 0, bytes);
  cudaMemcpyToSymbol(kept, &to, sizeof to);
  add<<<1, 64>>>();
  read();
  for (int i = 0; i < kRows * kColumns; ++i) {
    const int column = i % kColumns - 80, row = i / kColumns - 50;
    added &= back[i] == (column >= 0 && row >= 0 ? row * kTile + column : 0);
  }

  const bool refused = encode(&from, in + 1, kTile, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE &&
                       encode(&from, in, 2, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE &&
                       encode(&from, in, kTile, CU_TENSOR_MAP_SWIZZLE_64B) == CUDA_ERROR_INVALID_VALUE &&
                       cudaGetLastError() == cudaSuccess;
  std::printf("copied %d edge %d transposed %d added %d refused %d\n", copied, edge, transposed, added, refused);
}
