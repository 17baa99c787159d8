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

// FILL ME IN: kernel (roughly 55 lines)
constexpr int kSide = 16;             // a block is kSide x kSide threads
constexpr int kEach = 4;              // of which each has kEach x kEach values of out, kSide apart
constexpr int kTile = kSide * kEach;  // side of the tile of out that a block makes
constexpr int kDepth = 16;            // how much of h is in shared memory at a time
constexpr int kPitch = kTile + 2;     // from one h to the next; the 2 keep a warp's writes in 32 banks

// matrix[first_row + row][first_h + h] -> tile[h][row], 0 where there is no such element. Called by all.
__device__ void load_tile(float (*tile)[kPitch], const float* __restrict__ matrix, int first_row, int first_h,
                          int rows, int hidden) {
#pragma unroll
  for (int i = 0; i < kTile * kDepth / (kSide * kSide); ++i) {
    const int element = (i * kSide + threadIdx.y) * kSide + threadIdx.x;
    const int row = first_row + element / kDepth, h = first_h + element % kDepth;
    tile[element % kDepth][element / kDepth] =
        row < rows && h < hidden ? matrix[static_cast<size_t>(row) * hidden + h] : 0.0f;
  }
}

// Block (x, y) makes the x-th tile of out from the left and the y-th from above. Each tile of x that it loads
// serves both products: that is what one kernel saves beside the two tensors in between.
__global__ void __launch_bounds__(kSide* kSide)
    swiglu_kernel(const float* __restrict__ x, const float* __restrict__ gate, const float* __restrict__ up,
                  float* __restrict__ out, int rows, int hidden, int width) {
  __shared__ float x_tile[kDepth][kPitch], gate_tile[kDepth][kPitch], up_tile[kDepth][kPitch];
  const int first_row = blockIdx.y * kTile, first_f = blockIdx.x * kTile;
  float g[kEach][kEach] = {}, u[kEach][kEach] = {};
  for (int first_h = 0; first_h < hidden; first_h += kDepth) {
    load_tile(x_tile, x, first_row, first_h, rows, hidden);
    load_tile(gate_tile, gate, first_f, first_h, width, hidden);
    load_tile(up_tile, up, first_f, first_h, width, hidden);
    __syncthreads();  // all of the tiles is there
#pragma unroll
    for (int h = 0; h < kDepth; ++h)
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const float value = x_tile[h][threadIdx.y + kSide * i];
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
          g[i][j] += value * gate_tile[h][threadIdx.x + kSide * j];
          u[i][j] += value * up_tile[h][threadIdx.x + kSide * j];
        }
      }
    __syncthreads();  // the next tiles go where these are
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i)
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int row = first_row + threadIdx.y + kSide * i, f = first_f + threadIdx.x + kSide * j;
      // For large negative g, e^-g is infinite and g over it is 0, as it should be.
      if (row < rows && f < width)
        out[static_cast<size_t>(row) * width + f] = g[i][j] / (1.0f + expf(-g[i][j])) * u[i][j];
    }
}
// END: kernel

// x: [rows, hidden]; gate, up: [width, hidden]; out: [rows, width]; device memory. No extent is 0.
void swiglu(const float* x, const float* gate, const float* up, float* out, int rows, int hidden, int width) {
  // FILL ME IN: launch (roughly 3 lines)
  // Blocks that follow each other share their rows of x: those stay in the cache, and so do the weights.
  const dim3 tiles((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  swiglu_kernel<<<tiles, dim3(kSide, kSide)>>>(x, gate, up, out, rows, hidden, width);
  // END: launch
}
