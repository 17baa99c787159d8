// ENTRY: kernel
// CLASS: index
// CAUSE: The tile is swizzled (column xor row) instead of padded, but the filling half takes threadIdx.y as the key and not the tile's row y + i * 8, so only the first 8 rows of the tile are found again by the emptying half.
// SAYS: \by\b.*\bty\b|key|swizzle
// NEVER: \brace\b|barrier
// HELD: no
#include <cuda_runtime.h>

namespace {

constexpr int kSide = 32;
constexpr int kTeam = 8;

__device__ __forceinline__ int swizzle(int column, int key) { return column ^ key; }

__global__ void __launch_bounds__(kSide* kTeam)
    swizzled_transpose(const float* __restrict__ src, float* __restrict__ dst, int height, int width) {
  __shared__ float block[kSide * kSide];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;

  if (left + tx < width) {
    const float* p = src + static_cast<size_t>(top) * width + left + tx;
#pragma unroll
    for (int i = 0; i < kSide / kTeam; ++i) {
      const int y = ty + i * kTeam;
      if (top + y < height) block[y * kSide + swizzle(tx, ty)] = p[static_cast<size_t>(y) * width];
    }
  }
  __syncthreads();
  if (top + tx < height) {
    float* q = dst + static_cast<size_t>(left) * height + top + tx;
#pragma unroll
    for (int i = 0; i < kSide / kTeam; ++i) {
      const int y = ty + i * kTeam;
      if (left + y < width) q[static_cast<size_t>(y) * height] = block[tx * kSide + swizzle(y, tx)];
    }
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int columns) {
  const auto tiles = [](int n) { return static_cast<unsigned>(n + kSide - 1) / kSide; };
  swizzled_transpose<<<dim3(tiles(columns), tiles(rows)), dim3(kSide, kTeam)>>>(in, out, rows, columns);
}
