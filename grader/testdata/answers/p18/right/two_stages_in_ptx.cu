// STYLE: 64 x 32 tiles in two stages, filled by cp.async in inline PTX with zero fill
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

namespace {

// What a block of kSideX * kSideY threads makes at a time, and how deep the tiles are.
template <int kSideX_, int kSideY_, int kRowsEach_, int kColumnsEach_, int kDepth_>
struct Plan {
  static constexpr int kSideX = kSideX_, kSideY = kSideY_;
  static constexpr int kRowsEach = kRowsEach_, kColumnsEach = kColumnsEach_, kDepth = kDepth_;
  static constexpr int kThreads = kSideX * kSideY;
  static constexpr int kRows = kSideY * kRowsEach, kColumns = kSideX * kColumnsEach;
  static constexpr int kLines = kThreads / kDepth;  // rows of a tile that the block fetches in one go
  static_assert(kThreads % kDepth == 0 && kRows % kLines == 0 && kColumns % kLines == 0);

  // A step's tiles, turned round: [h][row]. Two words of padding put 16 h times 2 rows, which a warp fetches
  // together, into 32 banks.
  struct Tiles {
    float x[kDepth][kRows + 2], gate[kDepth][kColumns + 2], up[kDepth][kColumns + 2];
  };
};

// One word from global to shared memory, without a register in between; a zero where there is none.
__device__ __forceinline__ void fetch_word(float* to, const float* from, bool there) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const int bytes = there ? 4 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::"r"(shared), "l"(__cvta_generic_to_global(from)),
               "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void close_group() { asm volatile("cp.async.commit_group;\n" ::: "memory"); }
__device__ __forceinline__ void wait_for_all_but_one() { asm volatile("cp.async.wait_group 1;\n" ::: "memory"); }

template <typename P>
__global__ void __launch_bounds__(P::kThreads)
    swiglu_kernel(const float* __restrict__ x, const float* __restrict__ gate, const float* __restrict__ up,
                  float* __restrict__ out, int rows, int hidden, int width) {
  __shared__ typename P::Tiles turns[2];
  const int first_row = blockIdx.x * P::kRows, first_f = blockIdx.y * P::kColumns;
  const int tx = threadIdx.x % P::kSideX, ty = threadIdx.x / P::kSideX;

  const auto fetch = [&](typename P::Tiles& tiles, int first_h) {
    const int depth = threadIdx.x % P::kDepth, line = threadIdx.x / P::kDepth, h = first_h + depth;
#pragma unroll
    for (int r = line; r < P::kRows; r += P::kLines) {
      const bool there = h < hidden && first_row + r < rows;
      fetch_word(&tiles.x[depth][r], there ? x + static_cast<size_t>(first_row + r) * hidden + h : x, there);
    }
#pragma unroll
    for (int c = line; c < P::kColumns; c += P::kLines) {
      const bool there = h < hidden && first_f + c < width;
      const size_t at = there ? static_cast<size_t>(first_f + c) * hidden + h : 0;
      fetch_word(&tiles.gate[depth][c], gate + at, there);
      fetch_word(&tiles.up[depth][c], up + at, there);
    }
  };

  float g[P::kRowsEach][P::kColumnsEach] = {}, u[P::kRowsEach][P::kColumnsEach] = {};
  const int steps = (hidden + P::kDepth - 1) / P::kDepth;
  fetch(turns[0], 0);
  close_group();
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) fetch(turns[(step + 1) % 2], (step + 1) * P::kDepth);
    close_group();  // an empty group at the end: the wait below is then for the last tiles
    wait_for_all_but_one();
    __syncthreads();
    const typename P::Tiles& tiles = turns[step % 2];
#pragma unroll
    for (int k = 0; k < P::kDepth; ++k) {
      float of_gate[P::kColumnsEach], of_up[P::kColumnsEach];
#pragma unroll
      for (int j = 0; j < P::kColumnsEach; ++j) {
        of_gate[j] = tiles.gate[k][tx + j * P::kSideX];
        of_up[j] = tiles.up[k][tx + j * P::kSideX];
      }
#pragma unroll
      for (int i = 0; i < P::kRowsEach; ++i) {
        const float of_x = tiles.x[k][ty + i * P::kSideY];
#pragma unroll
        for (int j = 0; j < P::kColumnsEach; ++j) {
          g[i][j] = fmaf(of_x, of_gate[j], g[i][j]);
          u[i][j] = fmaf(of_x, of_up[j], u[i][j]);
        }
      }
    }
    __syncthreads();
  }

  const auto silu = [](float v) { return v / (1.0f + expf(-v)); };
#pragma unroll
  for (int i = 0; i < P::kRowsEach; ++i) {
    const int row = first_row + ty + i * P::kSideY;
#pragma unroll
    for (int j = 0; j < P::kColumnsEach; ++j) {
      const int f = first_f + tx + j * P::kSideX;
      if (row < rows && f < width) out[static_cast<size_t>(row) * width + f] = silu(g[i][j]) * u[i][j];
    }
  }
}

using Chosen = Plan<16, 16, 4, 2, 16>;  // 64 x 32 values of out for a block

}  // namespace

// x: [rows, hidden]; gate, up: [width, hidden]; out: [rows, width]; device memory. No extent is 0.
void swiglu(const float* x, const float* gate, const float* up, float* out, int rows, int hidden, int width) {
  const dim3 grid((rows + Chosen::kRows - 1) / Chosen::kRows, (width + Chosen::kColumns - 1) / Chosen::kColumns);
  swiglu_kernel<Chosen><<<grid, Chosen::kThreads>>>(x, gate, up, out, rows, hidden, width);
}
