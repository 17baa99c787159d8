// ENTRY: partials
// CLASS: stream-order
// CAUSE: The first kernel of the entry without atomics runs in a non-blocking side stream and the finalising kernel in the default stream, with no event or wait between the two, so it may read the workspace before it is written.
// SAYS: stream
// SAYS: to_workspace.*from_workspace
// NEVER: anonymous namespace
// HELD: no
#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr int kLanes = 32;
constexpr int kGroups = 8;

struct Inputs {
  const float *dy, *x, *mean, *rstd;
  int rows, columns;
};

// Column sums of rows [top, bottom) for thread row 0; everybody takes part.
__device__ float2 reduce_block(const Inputs& in, int column, int top, int bottom) {
  __shared__ float of_gamma[kGroups][kLanes], of_beta[kGroups][kLanes];
  float g = 0.0f, b = 0.0f;
  if (column < in.columns) {
    const float* __restrict__ dy = in.dy + column;
    const float* __restrict__ x = in.x + column;
#pragma unroll 4
    for (int r = top + threadIdx.y; r < bottom; r += kGroups) {
      const float d = dy[static_cast<size_t>(r) * in.columns];
      const float h = (x[static_cast<size_t>(r) * in.columns] - __ldg(in.mean + r)) * __ldg(in.rstd + r);
      g += d * h;
      b += d;
    }
  }
  of_gamma[threadIdx.y][threadIdx.x] = g;
  of_beta[threadIdx.y][threadIdx.x] = b;
  __syncthreads();
  g = b = 0.0f;
  if (threadIdx.y == 0) {
#pragma unroll
    for (int k = 0; k < kGroups; ++k) {
      g += of_gamma[k][threadIdx.x];
      b += of_beta[k][threadIdx.x];
    }
  }
  return make_float2(g, b);
}

__global__ void __launch_bounds__(kLanes* kGroups)
    with_atomics(const Inputs in, int strip, float* dgamma, float* dbeta) {
  const int column = blockIdx.x * kLanes + threadIdx.x, top = blockIdx.y * strip;
  const float2 s = reduce_block(in, column, top, min(top + strip, in.rows));
  if (threadIdx.y == 0 && column < in.columns) {
    atomicAdd(dgamma + column, s.x);
    atomicAdd(dbeta + column, s.y);
  }
}

__global__ void __launch_bounds__(kLanes* kGroups) to_workspace(const Inputs in, int strip, float2* __restrict__ work) {
  const int column = blockIdx.x * kLanes + threadIdx.x, top = blockIdx.y * strip;
  const float2 s = reduce_block(in, column, top, min(top + strip, in.rows));
  if (threadIdx.y == 0 && column < in.columns) work[static_cast<size_t>(blockIdx.y) * in.columns + column] = s;
}

__global__ void __launch_bounds__(128)
    from_workspace(const float2* __restrict__ work, int strips, int columns, float* __restrict__ dgamma,
                   float* __restrict__ dbeta) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float g = 0.0f, b = 0.0f;
#pragma unroll 8
  for (int s = 0; s < strips; ++s) {
    const float2 w = work[static_cast<size_t>(s) * columns + column];
    g += w.x;
    b += w.y;
  }
  dgamma[column] = g;
  dbeta[column] = b;
}

int strip_height(int rows) { return std::max(64, (rows + 43) / 44); }

}  // namespace

void layernorm_backward_params_atomics(const float* dy, const float* x, const float* mean, const float* rstd,
                                       float* dgamma, float* dbeta, int rows, int columns) {
  const int strip = strip_height(rows);
  const dim3 grid((columns + kLanes - 1) / kLanes, (rows + strip - 1) / strip);
  cudaMemset(dgamma, 0, columns * sizeof(float));
  cudaMemset(dbeta, 0, columns * sizeof(float));
  with_atomics<<<grid, dim3(kLanes, kGroups)>>>({dy, x, mean, rstd, rows, columns}, strip, dgamma, dbeta);
}

void layernorm_backward_params(const float* dy, const float* x, const float* mean, const float* rstd,
                               float* dgamma, float* dbeta, int rows, int columns) {
  const int strip = strip_height(rows);
  const dim3 grid((columns + kLanes - 1) / kLanes, (rows + strip - 1) / strip);
  float2* work;
  cudaMalloc(&work, sizeof(float2) * grid.y * columns);
  cudaStream_t side;
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEvent_t inputs_ready;
  cudaEventCreateWithFlags(&inputs_ready, cudaEventDisableTiming);
  cudaEventRecord(inputs_ready, 0);
  cudaStreamWaitEvent(side, inputs_ready, 0);
  to_workspace<<<grid, dim3(kLanes, kGroups), 0, side>>>({dy, x, mean, rstd, rows, columns}, strip, work);
  from_workspace<<<(columns + 127) / 128, 128>>>(work, grid.y, columns, dgamma, dbeta);
  cudaEventDestroy(inputs_ready);
  cudaStreamDestroy(side);
  cudaFree(work);
}
