// STYLE: cooperative groups, 32 x 8 threads with four rows each, blocks that walk over the tiles of c
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
constexpr int kTile = 32, kStep = 8;

template <int kEach>
__global__ void strips(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int rows,
                       int inner, int columns) {
  const auto block = cg::this_thread_block();
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int across = (columns + kTile - 1) / kTile, down = (rows + kTile - 1) / kTile;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int tile = blockIdx.x; tile < across * down; tile += gridDim.x) {
    const int row0 = tile / across * kTile, column = tile % across * kTile + x;
    float sum[kEach] = {};
    for (int k0 = 0; k0 < inner; k0 += kTile) {
      // FILL ME IN: load_tiles (roughly 6 lines)
      for (int i = y; i < kTile; i += kStep) {
        left[i][x] = row0 + i < rows && k0 + x < inner ? __ldg(a + size_t(row0 + i) * inner + k0 + x) : 0.f;
        right[i][x] = k0 + i < inner && column < columns ? __ldg(b + size_t(k0 + i) * columns + column) : 0.f;
      }
      block.sync();
      // END: load_tiles
      // FILL ME IN: multiply (roughly 2 lines)
      for (int k = 0; k < kTile; ++k) {
        const float of_b = right[k][x];
        for (int i = 0; i < kEach; ++i) sum[i] += left[y + i * kStep][k] * of_b;
      }
      block.sync();
      // END: multiply
    }
    // FILL ME IN: store (roughly 1 line)
    for (int i = 0; i < kEach; ++i) {
      const int row = row0 + y + i * kStep;
      if (row < rows && column < columns) __stcs(c + size_t(row) * columns + column, sum[i]);
    }
    // END: store
  }
}

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  strips<kTile / kStep><<<12, dim3(kTile, kStep)>>>(a, b, c, rows, inner, columns);
}
