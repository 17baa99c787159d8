// ENTRY: kernel
// CLASS: precision
// CAUSE: silu is written with e^v, which is infinite for v above 89: infinite / infinite is no number.
// SAYS: inf / inf
// SAYS: line 2[0-9]
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

// FILL ME IN: kernel (roughly 55 lines)
// One column of out and four rows for each thread: a weight that is read serves four times.
namespace tile {
constexpr int rows = 32, columns = 32, deep = 16, each = 4, threads = columns * rows / each;
}

__device__ __forceinline__ float swish(float v) {
  return v * expf(v) / (1.0f + expf(v));
}

__global__ void __launch_bounds__(tile::threads)
    fused_mlp_half(const float* __restrict__ x, const float* __restrict__ gate, const float* __restrict__ up,
                   float* __restrict__ out, int rows, int hidden, int width) {
  __shared__ float left[tile::deep][tile::rows + 1];
  __shared__ float2 right[tile::deep][tile::columns + 1];  // gate and up, side by side
  const int column = threadIdx.x % tile::columns, first = threadIdx.x / tile::columns * tile::each;
  const int top = blockIdx.y * tile::rows, begin = blockIdx.x * tile::columns;
  float2 sum[tile::each] = {};
  for (int h0 = 0; h0 < hidden; h0 += tile::deep) {
    for (int i = threadIdx.x; i < tile::rows * tile::deep; i += tile::threads) {
      const int line = i / tile::deep, k = i % tile::deep;
      float value = 0.0f;
      float2 weights = {0.0f, 0.0f};
      if (h0 + k < hidden) {
        if (top + line < rows) value = x[static_cast<size_t>(top + line) * hidden + h0 + k];
        if (begin + line < width) {
          const size_t at = static_cast<size_t>(begin + line) * hidden + h0 + k;
          weights = make_float2(gate[at], up[at]);
        }
      }
      left[k][line] = value;
      right[k][line] = weights;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile::deep; ++k) {
      const float2 w = right[k][column];
#pragma unroll
      for (int i = 0; i < tile::each; ++i) {
        sum[i].x = fmaf(left[k][first + i], w.x, sum[i].x);
        sum[i].y = fmaf(left[k][first + i], w.y, sum[i].y);
      }
    }
    __syncthreads();
  }
  if (begin + column >= width) return;
  for (int i = 0; i < tile::each && top + first + i < rows; ++i)
    out[static_cast<size_t>(top + first + i) * width + begin + column] = swish(sum[i].x) * sum[i].y;
}
// END: kernel

// x: [rows, hidden]; gate, up: [width, hidden]; out: [rows, width]; device memory. No extent is 0.
void swiglu(const float* x, const float* gate, const float* up, float* out, int rows, int hidden, int width) {
  // FILL ME IN: launch (roughly 3 lines)
  const dim3 grid((width + tile::columns - 1) / tile::columns, (rows + tile::rows - 1) / tile::rows);
  fused_mlp_half<<<grid, tile::threads>>>(x, gate, up, out, rows, hidden, width);
  // END: launch
}
