// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Rows of a and b are both read as float4 where those of b are a multiple of four long.
// SAYS: misaligned load
// NEVER: race|barrier
// HELD: no
// p14: matrix product with 64 x 64 tiles of c, 4 x 4 results for each thread, float4 where rows allow it.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSize = 64;   // of a tile of c, in both directions
constexpr int kDepth = 16;  // along k
constexpr int kMine = 4;
constexpr int kBlock = (kSize / kMine) * (kSize / kMine);
constexpr int kLine = kSize + 4;  // from one k to the next in the tile of a

template <bool kWide>
__device__ void fill_a(float (*a_tile)[kLine], const float* __restrict__ a, int row0, int k0, int rows, int inner) {
  if constexpr (kWide) {
    const int r = threadIdx.x / 4, k = threadIdx.x % 4 * 4;
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row0 + r < rows && k0 + k < inner)
      v = *reinterpret_cast<const float4*>(a + static_cast<size_t>(row0 + r) * inner + k0 + k);
    a_tile[k][r] = v.x;
    a_tile[k + 1][r] = v.y;
    a_tile[k + 2][r] = v.z;
    a_tile[k + 3][r] = v.w;
  } else {
    for (int i = threadIdx.x; i < kSize * kDepth; i += kBlock) {
      const int r = i / kDepth, k = i % kDepth;
      a_tile[k][r] =
          row0 + r < rows && k0 + k < inner ? a[static_cast<size_t>(row0 + r) * inner + k0 + k] : 0.0f;
    }
  }
}

template <bool kWide>
__device__ void fill_b(float (*b_tile)[kSize], const float* __restrict__ b, int k0, int column0, int inner,
                       int columns) {
  if constexpr (kWide) {
    const int k = threadIdx.x / 16, n = threadIdx.x % 16 * 4;
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (k0 + k < inner && column0 + n < columns)
      v = *reinterpret_cast<const float4*>(b + static_cast<size_t>(k0 + k) * columns + column0 + n);
    *reinterpret_cast<float4*>(&b_tile[k][n]) = v;
  } else {
    for (int i = threadIdx.x; i < kSize * kDepth; i += kBlock) {
      const int k = i / kSize, n = i % kSize;
      b_tile[k][n] =
          k0 + k < inner && column0 + n < columns ? b[static_cast<size_t>(k0 + k) * columns + column0 + n] : 0.0f;
    }
  }
}

template <bool kWide>
__global__ void __launch_bounds__(kBlock)
    product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows, int inner,
            int columns) {
  __shared__ __align__(16) float a_tile[kDepth][kLine];
  __shared__ __align__(16) float b_tile[kDepth][kSize];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int row0 = blockIdx.y * kSize, column0 = blockIdx.x * kSize;
  float acc[kMine][kMine] = {};
  for (int k0 = 0; k0 < inner; k0 += kDepth) {
    fill_a<kWide>(a_tile, a, row0, k0, rows, inner);
    fill_b<kWide>(b_tile, b, k0, column0, inner, columns);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      const float4 av = *reinterpret_cast<const float4*>(&a_tile[k][kMine * ty]);
      const float4 bv = *reinterpret_cast<const float4*>(&b_tile[k][kMine * tx]);
      const float as[kMine] = {av.x, av.y, av.z, av.w}, bs[kMine] = {bv.x, bv.y, bv.z, bv.w};
#pragma unroll
      for (int i = 0; i < kMine; ++i)
#pragma unroll
        for (int j = 0; j < kMine; ++j) acc[i][j] += as[i] * bs[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kMine; ++i) {
    const int row = row0 + kMine * ty + i, column = column0 + kMine * tx;
    if (row >= rows) continue;
    float* to = c + static_cast<size_t>(row) * columns + column;
    if constexpr (kWide) {
      if (column < columns)
        *reinterpret_cast<float4*>(to) = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
    } else {
#pragma unroll
      for (int j = 0; j < kMine; ++j)
        if (column + j < columns) to[j] = acc[i][j];
    }
  }
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  const dim3 grid((columns + kSize - 1) / kSize, (rows + kSize - 1) / kSize);
  const auto places = reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b) | reinterpret_cast<uintptr_t>(c);
  if (places % 16 == 0 && columns % 4 == 0)
    product<true><<<grid, kBlock>>>(a, b, c, rows, inner, columns);
  else
    product<false><<<grid, kBlock>>>(a, b, c, rows, inner, columns);
}
