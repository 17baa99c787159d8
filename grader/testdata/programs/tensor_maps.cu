// Tiles of tensors by the driver's tensor maps, as the programming guide of CUDA has it: from global memory into shared
// memory with an mbarrier, and back by a bulk group; swizzled for a transpose; added to what is there.
//# flags -std=c++17 -lineinfo -diag-suppress 20054 -gencode arch=compute_90,code=compute_90
//# stdout copied 1 edge 1 transposed 1 added 1 multiplied 1 shared 1 refused 1
//# launch twice grid=4x3 block=128
//# launch transpose grid=4x3 block=256
//# launch add grid=1 block=64
//# launch multiply grid=4x4 block=256
//# launch share grid=2 block=64
#include <cuda.h>
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;

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

// Two stages: while the tiles of one are multiplied, those of the next are on their way.
constexpr int kSide = 64, kPart = 16;

__global__ void multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c) {
  __shared__ alignas(128) float left[2][kPart][kPart], right[2][kPart][kPart];
  __shared__ std::uint64_t full[2];
  const int row = threadIdx.x / kPart, column = threadIdx.x % kPart;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full[0], 1);
    ptx::mbarrier_init(&full[1], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  const auto fetch = [&](int part) {
    const int stage = part % 2;
    const std::int32_t of_a[] = {part * kPart, static_cast<int>(blockIdx.y) * kPart},
                       of_b[] = {static_cast<int>(blockIdx.x) * kPart, part * kPart};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[stage],
                                   sizeof left[0] + sizeof right[0]);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, left[stage], &a, of_a, &full[stage]);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, right[stage], &b, of_b, &full[stage]);
  };
  if (threadIdx.x == 0) fetch(0);
  float sum = 0;
  for (int part = 0; part < kSide / kPart; ++part) {
    if (threadIdx.x == 0 && part + 1 < kSide / kPart) fetch(part + 1);
    while (!ptx::mbarrier_try_wait_parity(&full[part % 2], part / 2 % 2)) {
    }
    for (int k = 0; k < kPart; ++k) sum += left[part % 2][row][k] * right[part % 2][k][column];
    __syncthreads();  // the stage is free again
  }
  c[(blockIdx.y * kPart + row) * kSide + blockIdx.x * kPart + column] = sum;
}

// One block of a cluster loads a tile for both.
__global__ void __cluster_dims__(2, 1, 1) share(const __grid_constant__ CUtensorMap in, float* out) {
  __shared__ alignas(128) float tile[kPart * kPart];
  __shared__ std::uint64_t full;
  const auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
  }
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile)),
                   bar = static_cast<unsigned>(__cvta_generic_to_shared(&full));
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(
            to),
        "l"(&in), "r"(16), "r"(32), "r"(bar), "h"(static_cast<unsigned short>(3))
        : "memory");
  }
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  for (int i = threadIdx.x; i < kPart * kPart; i += blockDim.x) out[cluster.block_rank() * kPart * kPart + i] = tile[i];
  cluster.sync();
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

// A square of floats in tiles of 16 x 16.
void encode_square(CUtensorMap* map, float* tensor) {
  const cuuint64_t size[] = {kSide, kSide}, stride[] = {kSide * sizeof(float)};
  const cuuint32_t box[] = {kPart, kPart}, step[] = {1, 1};
  find_encode()(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, tensor, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

bool products_and_shares() {
  std::vector<float> a(kSide * kSide), b(a.size()), c(a.size());
  for (int i = 0; i < kSide * kSide; ++i) a[i] = i % 7 - 3, b[i] = i % 5 - 2;
  float* device[3];
  for (float*& each : device) cudaMalloc(&each, a.size() * sizeof(float));
  cudaMemcpy(device[0], a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device[1], b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  CUtensorMap of_a, of_b;
  encode_square(&of_a, device[0]);
  encode_square(&of_b, device[1]);
  multiply<<<dim3(kSide / kPart, kSide / kPart), kPart * kPart>>>(of_a, of_b, device[2]);
  cudaMemcpy(c.data(), device[2], c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      float sum = 0;
      for (int k = 0; k < kSide; ++k) sum += a[row * kSide + k] * b[k * kSide + column];
      right &= c[row * kSide + column] == sum;
    }
  std::printf(" multiplied %d", right);
  share<<<2, 64>>>(of_a, device[2]);
  cudaMemcpy(c.data(), device[2], 2 * kPart * kPart * sizeof(float), cudaMemcpyDeviceToHost);
  bool both = true;
  for (int i = 0; i < 2 * kPart * kPart; ++i)
    both &= c[i] == a[(32 + i / kPart % kPart) * kSide + 16 + i % kPart];
  return both;
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
  std::printf("copied %d edge %d transposed %d added %d", copied, edge, transposed, added);
  std::printf(" shared %d", products_and_shares());
  std::printf(" refused %d\n", refused);
}
