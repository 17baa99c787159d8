// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The loop multiplies a slab while it fetches the next one; the last is never multiplied.
// SAYS: multiply|last
// NEVER: race|barrier
// HELD: no
// p18 swiglu: the gated half of a transformer's MLP: two products of the same x, and one of their values, in
// one launch.
//
//   out[r][f] = silu(g) u     g = sum over h of x[r][h] gate[f][h]     silu(g) = g / (1 + e^-g)
//                             u = sum over h of x[r][h] up[f][h]
//
//   x [rows, hidden]   gate, up [width, hidden]   out [rows, width]
//
// Two blanks, and no advice in between: `kernel` is everything that runs on the GPU, `launch` starts it. One
// launch, no memory of your own, and no more bytes asked for than tiles of 16 by 16 need.
//
//   grader p18

#include <cuda_runtime.h>

constexpr int kSide = 16;               // threads of a block in each direction
constexpr int kEach = 2;                // results of a thread in each direction
constexpr int kTile = kSide * kEach;    // results of a block in each direction
constexpr int kSlab = 16;               // values of h in a tile
constexpr int kPitch = kSlab + 1;

// One stage of the pipeline. While the block works on one, it fills the other.
struct Stage {
  float x[kTile][kPitch], gate[kTile][kPitch], up[kTile][kPitch];
};

__device__ void fill(float (&tile)[kTile][kPitch], const float* __restrict__ from, int first_row, int rows,
                     int first_h, int hidden) {
  const int h = first_h + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int r = threadIdx.y + i * kSide;
    const bool there = first_row + r < rows && h < hidden;
    tile[r][threadIdx.x] = there ? from[static_cast<size_t>(first_row + r) * hidden + h] : 0.0f;
  }
}

__device__ float silu(float v) { return v / (1.0f + expf(-v)); }

__global__ void __launch_bounds__(kSide* kSide)
    swiglu_kernel(const float* __restrict__ x, const float* __restrict__ gate, const float* __restrict__ up,
                  float* __restrict__ out, int rows, int hidden, int width) {
  __shared__ Stage stages[2];
  const int first_row = blockIdx.y * kTile, first_f = blockIdx.x * kTile;
  float g[kEach][kEach] = {}, u[kEach][kEach] = {};

  const auto fetch = [&](Stage& stage, int h) {
    fill(stage.x, x, first_row, rows, h, hidden);
    fill(stage.gate, gate, first_f, width, h, hidden);
    fill(stage.up, up, first_f, width, h, hidden);
  };
  const auto multiply = [&](const Stage& stage) {
#pragma unroll
    for (int h = 0; h < kSlab; ++h) {
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        const float wg = stage.gate[threadIdx.x + j * kSide][h], wu = stage.up[threadIdx.x + j * kSide][h];
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
          const float v = stage.x[threadIdx.y + i * kSide][h];
          g[i][j] += v * wg;
          u[i][j] += v * wu;
        }
      }
    }
  };

  int now = 0;
  fetch(stages[0], 0);
  __syncthreads();
  for (int next = kSlab; next < hidden; next += kSlab) {
    fetch(stages[now ^ 1], next);
    multiply(stages[now]);
    __syncthreads();
    now ^= 1;
  }

#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int r = first_row + threadIdx.y + i * kSide;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int f = first_f + threadIdx.x + j * kSide;
      if (r < rows && f < width) out[static_cast<size_t>(r) * width + f] = silu(g[i][j]) * u[i][j];
    }
  }
}

// x: [rows, hidden]; gate, up: [width, hidden]; out: [rows, width]; device memory. No extent is 0.
void swiglu(const float* x, const float* gate, const float* up, float* out, int rows, int hidden, int width) {
  const dim3 tiles((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  swiglu_kernel<<<tiles, dim3(kSide, kSide)>>>(x, gate, up, out, rows, hidden, width);
}
