// STYLE: a lane per row for the statistics, x through a padded slab of its warp
// p08: LayerNorm, first rung: one thread for each row.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
//   x, out [M,N]   gamma, beta [N]   mean, rstd [M]: kept, because a backward pass wants them
//
// Fill in `statistics` and `normalize`. No thread needs another one here, which makes this the easiest
// LayerNorm to get right. It is also the slowest, because of where the lanes of a warp stand:
//
//            c = 0   1   2   3  ...
//   lane 0    [*]  .   .   .          one load of the warp touches the column of stars:
//   lane 1    [*]  .   .   .          32 addresses, N floats apart. Memory answers in sectors of
//   lane 2    [*]  .   .   .          8 floats, so that 32 sectors travel for 32 floats.
//   ...
//
// Look for it in the table (sectors per request, bytes requested) and at the source line in the viewer. The
// rungs above, from p09 on, climb away from it.
//
//   grader p08     grader hint p08     grader lesson p08
//
// All of this file is yours to change, the launch too; only `layernorm` keeps its name and its parameters.
#include <cuda_runtime.h>

constexpr int kLanes = 32;
constexpr int kWarps = 4;  // of a block; each has 32 rows of its own, a lane has one

// 32 rows of 32 columns. A warp fills and empties it row by row, a lane reads down its own row: 33 words from
// one row to the next are 32 banks either way.
struct Slab {
  float at[kLanes][kLanes + 1];
};

// Calls visit(v) in each lane for the values of its row, from left to right. All lanes of the warp call it.
template <typename Visit>
__device__ __forceinline__ void each_of_my_row(Slab& slab, const float* __restrict__ x, int have, int columns,
                                               Visit visit) {
  const int lane = threadIdx.x;
  for (int first = 0; first < columns; first += kLanes) {
    const int wide = min(kLanes, columns - first);
#pragma unroll 8
    for (int r = 0; r < have; ++r)
      if (lane < wide) slab.at[r][lane] = x[static_cast<size_t>(r) * columns + first + lane];
    __syncwarp();
    if (lane < have)
      for (int c = 0; c < wide; ++c) visit(slab.at[lane][c]);
    __syncwarp();
  }
}

__global__ void __launch_bounds__(kLanes* kWarps)
    layernorm_slabs(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                    float* __restrict__ out, float* __restrict__ mean, float* __restrict__ rstd, int rows,
                    int columns, float eps) {
  __shared__ Slab slabs[kWarps];
  Slab& slab = slabs[threadIdx.y];
  const int lane = threadIdx.x;
  const int first_row = (blockIdx.x * kWarps + threadIdx.y) * kLanes;
  const int have = min(kLanes, rows - first_row);  // rows of this warp
  if (have <= 0) return;                           // no barrier of the block in this kernel
  const float* x_rows = x + static_cast<size_t>(first_row) * columns;
  float* out_rows = out + static_cast<size_t>(first_row) * columns;

  float sum = 0.0f;
  each_of_my_row(slab, x_rows, have, columns, [&](float v) { sum += v; });
  const float my_mean = sum / columns;

  float squares = 0.0f;
  each_of_my_row(slab, x_rows, have, columns, [&](float v) { squares += (v - my_mean) * (v - my_mean); });
  const float my_rstd = 1.0f / sqrtf(squares / columns + eps);

  if (lane < have) {
    mean[first_row + lane] = my_mean;
    rstd[first_row + lane] = my_rstd;
  }

  // Now the warp goes along the rows, one after the other; their numbers come from the lanes that have them.
  for (int r = 0; r < have; ++r) {
    const float m = __shfl_sync(0xffffffffu, my_mean, r), s = __shfl_sync(0xffffffffu, my_rstd, r);
    const size_t start = static_cast<size_t>(r) * columns;
    for (int c = lane; c < columns; c += kLanes)
      out_rows[start + c] = (x_rows[start + c] - m) * s * gamma[c] + beta[c];
  }
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  constexpr int kRows = kLanes * kWarps;
  layernorm_slabs<<<(rows + kRows - 1) / kRows, dim3(kLanes, kWarps)>>>(x, gamma, beta, out, mean, rstd, rows,
                                                                         columns, eps);
}
