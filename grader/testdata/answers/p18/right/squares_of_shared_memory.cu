// STYLE: cooperative groups, tiles in a struct, two by two results a thread
// p18 swiglu: the gated half of a transformer's MLP: two products of the same x, and one of their values, in
// one launch.
//
//   out[r][f] = silu(g) u     g = sum over h of x[r][h] gate[f][h]     silu(g) = g / (1 + e^-g)
//                             u = sum over h of x[r][h] up[f][h]
//
//   x [rows, hidden]   gate, up [width, hidden]   out [rows, width]

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

namespace {

constexpr int kEdge = 32;             // rows and columns of out that a block makes, and h of a step
constexpr int kAcross = 16;           // threads in each direction: each has 2 x 2 results
constexpr int kPer = kEdge / kAcross;

// A square of a matrix [extent, hidden]. A spare word at the end of each row: columns are read, too.
struct Square {
  float at[kEdge][kEdge + 1];

  __device__ void fetch(const cg::thread_block& block, const float* __restrict__ from, int top, int left,
                        int extent, int hidden) {
    for (int i = block.thread_rank(); i < kEdge * kEdge; i += block.size()) {
      const int y = i / kEdge, h = i % kEdge;
      const bool inside = top + y < extent && left + h < hidden;
      at[y][h] = inside ? from[static_cast<size_t>(top + y) * hidden + left + h] : 0.0f;
    }
  }
};

__device__ float silu(float g) { return g / (1.0f + expf(-g)); }

__global__ void __launch_bounds__(kAcross* kAcross)
    swiglu_kernel(const float* __restrict__ x, const float* __restrict__ gate, const float* __restrict__ up,
                  float* __restrict__ out, int rows, int hidden, int width) {
  __shared__ Square of_x, of_gate, of_up;
  const cg::thread_block block = cg::this_thread_block();
  const int top = blockIdx.x * kEdge, left = blockIdx.y * kEdge;
  const int tx = threadIdx.x, ty = threadIdx.y;

  float g[kPer][kPer] = {}, u[kPer][kPer] = {};
  for (int h = 0; h < hidden; h += kEdge) {
    of_x.fetch(block, x, top, h, rows, hidden);
    of_gate.fetch(block, gate, left, h, width, hidden);
    of_up.fetch(block, up, left, h, width, hidden);
    block.sync();
#pragma unroll 8
    for (int k = 0; k < kEdge; ++k) {
#pragma unroll
      for (int j = 0; j < kPer; ++j) {
        const float wg = of_gate.at[tx + kAcross * j][k], wu = of_up.at[tx + kAcross * j][k];
#pragma unroll
        for (int i = 0; i < kPer; ++i) {
          const float v = of_x.at[ty + kAcross * i][k];
          g[i][j] = fmaf(v, wg, g[i][j]);
          u[i][j] = fmaf(v, wu, u[i][j]);
        }
      }
    }
    block.sync();
  }

#pragma unroll
  for (int i = 0; i < kPer; ++i) {
    const int row = top + ty + kAcross * i;
#pragma unroll
    for (int j = 0; j < kPer; ++j) {
      const int column = left + tx + kAcross * j;
      if (row < rows && column < width)
        out[static_cast<size_t>(row) * width + column] = silu(g[i][j]) * u[i][j];
    }
  }
}

}  // namespace

// x: [rows, hidden]; gate, up: [width, hidden]; out: [rows, width]; device memory. No extent is 0.
void swiglu(const float* x, const float* gate, const float* up, float* out, int rows, int hidden, int width) {
  const dim3 grid((rows + kEdge - 1) / kEdge, (width + kEdge - 1) / kEdge);
  swiglu_kernel<<<grid, dim3(kAcross, kAcross)>>>(x, gate, up, out, rows, hidden, width);
}
