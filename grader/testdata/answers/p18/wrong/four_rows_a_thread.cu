// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: the tile of x is not cut off at hidden
// SAYS: h < hidden
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
constexpr int kTile = 32;              // side of every tile, and lanes of a warp
constexpr int kDown = 8;               // warps of a block
constexpr int kEach = kTile / kDown;   // rows of out that a thread has, kDown apart

// silu(g) u. For g below -88 the exponential is infinite and the quotient 0, as it should be.
__device__ float gated(float g, float u) { return g / (1.0f + expf(-g)) * u; }

// matrix[first_f + y][h] -> tile[y][x] for the thread's rows y of a tile; 0 where there is no such weight.
__device__ void load_weights(float (&tile)[kTile][kTile + 1], const float* __restrict__ matrix, int first_f,
                             int h, int width, int hidden) {
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int y = threadIdx.y + i * kDown, f = first_f + y;
    tile[y][threadIdx.x] = f < width && h < hidden ? matrix[static_cast<size_t>(f) * hidden + h] : 0.0f;
  }
}

__global__ void __launch_bounds__(kTile* kDown)
    swiglu_kernel(const float* __restrict__ x, const float* __restrict__ gate, const float* __restrict__ up,
                  float* __restrict__ out, int rows, int hidden, int width) {
  __shared__ float x_tile[kTile][kTile], gate_tile[kTile][kTile + 1], up_tile[kTile][kTile + 1];
  const int first_row = blockIdx.y * kTile, first_f = blockIdx.x * kTile;
  float g[kEach] = {}, u[kEach] = {};

  for (int first_h = 0; first_h < hidden; first_h += kTile) {
    const int h = first_h + threadIdx.x;
    load_weights(gate_tile, gate, first_f, h, width, hidden);
    load_weights(up_tile, up, first_f, h, width, hidden);
    // Both weights are 0 from `hidden` on, so x needs no zeros of its own there.
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int y = threadIdx.y + i * kDown, row = first_row + y;
      x_tile[y][threadIdx.x] = row < rows ? x[static_cast<size_t>(row) * hidden + h] : 0.0f;
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kTile; ++k) {
      const float of_gate = gate_tile[threadIdx.x][k], of_up = up_tile[threadIdx.x][k];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const float of_x = x_tile[threadIdx.y + i * kDown][k];
        g[i] += of_x * of_gate;
        u[i] += of_x * of_up;
      }
    }
    __syncthreads();
  }

  const int f = first_f + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y + i * kDown;
    if (row < rows && f < width) out[static_cast<size_t>(row) * width + f] = gated(g[i], u[i]);
  }
}
// END: kernel

// x: [rows, hidden]; gate, up: [width, hidden]; out: [rows, width]; device memory. No extent is 0.
void swiglu(const float* x, const float* gate, const float* up, float* out, int rows, int hidden, int width) {
  // FILL ME IN: launch (roughly 3 lines)
  const dim3 tiles((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile), threads(kTile, kDown);
  swiglu_kernel<<<tiles, threads>>>(x, gate, up, out, rows, hidden, width);
  // END: launch
}
