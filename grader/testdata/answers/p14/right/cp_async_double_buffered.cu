// STYLE: tiles of 64 x 64, 4 x 4 sums a thread, asynchronous copies into two buffers, zeros for what is outside
// c = a b. 64 x 64 values of c for each block, 4 x 4 for each thread; tiles come by cp.async, two pairs of
// them in turn: while one is used the next is on its way.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

namespace {

constexpr int kSide = 64, kDepth = 16, kLanes = 16, kPer = kSide / kLanes, kCount = kLanes * kLanes;

struct Stage {
  float a[kSide][kDepth + 1];
  float b[kDepth][kSide];
};

// Asks for one value, or has a zero put in its place.
__device__ __forceinline__ void ask(float* to, const float* base, size_t index, bool there) {
  __pipeline_memcpy_async(to, base + (there ? index : 0), sizeof(float), there ? 0 : sizeof(float));
}

__device__ __forceinline__ void ask_for(Stage& s, const float* a, const float* b, int row0, int col0, int k0,
                                        int m, int k, int n) {
#pragma unroll
  for (int i = threadIdx.x; i < kSide * kDepth; i += kCount) {
    const int r = i / kDepth, q = i % kDepth;
    ask(&s.a[r][q], a, static_cast<size_t>(row0 + r) * k + k0 + q, row0 + r < m && k0 + q < k);
  }
#pragma unroll
  for (int i = threadIdx.x; i < kSide * kDepth; i += kCount) {
    const int q = i / kSide, c = i % kSide;
    ask(&s.b[q][c], b, static_cast<size_t>(k0 + q) * n + col0 + c, k0 + q < k && col0 + c < n);
  }
}

__global__ void __launch_bounds__(kCount)
    gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int k, int n) {
  __shared__ Stage stages[2];
  const int tx = threadIdx.x % kLanes, ty = threadIdx.x / kLanes;
  const int row0 = blockIdx.y * kSide, col0 = blockIdx.x * kSide;
  float acc[kPer][kPer] = {};
  const int steps = (k + kDepth - 1) / kDepth;

  ask_for(stages[0], a, b, row0, col0, 0, m, k, n);
  __pipeline_commit();
  for (int s = 0; s < steps; ++s) {
    if (s + 1 < steps) ask_for(stages[(s + 1) % 2], a, b, row0, col0, (s + 1) * kDepth, m, k, n);
    __pipeline_commit();  // maybe an empty one
    __pipeline_wait_prior(1);
    __syncthreads();
    const Stage& now = stages[s % 2];
#pragma unroll
    for (int q = 0; q < kDepth; ++q) {
      float left[kPer], right[kPer];
#pragma unroll
      for (int i = 0; i < kPer; ++i) left[i] = now.a[ty + kLanes * i][q];
#pragma unroll
      for (int j = 0; j < kPer; ++j) right[j] = now.b[q][tx + kLanes * j];
#pragma unroll
      for (int i = 0; i < kPer; ++i)
#pragma unroll
        for (int j = 0; j < kPer; ++j) acc[i][j] = fmaf(left[i], right[j], acc[i][j]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kPer; ++i)
#pragma unroll
    for (int j = 0; j < kPer; ++j) {
      const int row = row0 + ty + kLanes * i, col = col0 + tx + kLanes * j;
      if (row < m && col < n) c[static_cast<size_t>(row) * n + col] = acc[i][j];
    }
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  const dim3 grid((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  gemm<<<grid, kCount>>>(a, b, c, rows, inner, columns);
}
