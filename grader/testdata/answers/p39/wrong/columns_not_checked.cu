// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Only rows are checked before the store: columns that do not exist are written into the beginning of the next row.
// SAYS: n < N|column
// SAYS: out
// NEVER: allocat
// HELD: no
// out = x weight^T + bias, and the plan.
#include <cuda_runtime.h>

constexpr int BM = 64, BN = 64, BK = 16;
constexpr int TX = 16, TY = 16;

__global__ void __launch_bounds__(TX * TY)
    gemm_bias(const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ bias,
              float* __restrict__ out, int M, int K, int N) {
  __shared__ float As[BM][BK + 1];
  __shared__ float Bs[BN][BK + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;

  float acc[4][4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) acc[i][j] = 0.0f;

  for (int k0 = 0; k0 < K; k0 += BK) {
    // 16 threads load 16 neighbours along k, four rows of each tile after another
#pragma unroll
    for (int r = ty; r < BM; r += TY) {
      const int m = m0 + r, k = k0 + tx;
      As[r][tx] = (m < M && k < K) ? x[static_cast<size_t>(m) * K + k] : 0.0f;
    }
#pragma unroll
    for (int r = ty; r < BN; r += TY) {
      const int n = n0 + r, k = k0 + tx;
      Bs[r][tx] = (n < N && k < K) ? weight[static_cast<size_t>(n) * K + k] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) a[i] = As[ty + TY * i][k];
#pragma unroll
      for (int j = 0; j < 4; ++j) b[j] = Bs[tx + TX * j][k];
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int n = n0 + tx + TX * j;
    const float add = n < N ? bias[n] : 0.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int m = m0 + ty + TY * i;
      if (m < M) out[static_cast<size_t>(m) * N + n] = acc[i][j] + add;
    }
  }
}

// A thread for each job.
__global__ void plan(const int* __restrict__ jobs, float* __restrict__ library_us, float* __restrict__ own_us,
                     int* __restrict__ use_own, int count, float flops_per_us, float bytes_per_us, float share,
                     float launch_us) {
  const int job = blockIdx.x * blockDim.x + threadIdx.x;
  if (job >= count) return;
  const float m = jobs[job], k = jobs[count + job], n = jobs[2 * count + job], steps = jobs[3 * count + job];
  const float arithmetic = 2.0f * m * k * n / flops_per_us;
  const float memory = 4.0f * (m * k + k * n + m * n) / bytes_per_us;
  const float one_step = 4.0f * (m * n + m * n) / bytes_per_us + launch_us;
  const float a = fmaxf(arithmetic, memory) + launch_us + steps * one_step;
  const float b = fmaxf(arithmetic / share, memory) + launch_us;
  library_us[job] = a;
  own_us[job] = b;
  use_own[job] = b < a ? 1 : 0;
}

void linear_and_plan(const float* x, const float* weight, const float* bias, float* out, int rows, int inner,
                     int columns, const int* jobs, float* library_us, float* own_us, int* use_own, int count,
                     float flops_per_us, float bytes_per_us, float share, float launch_us) {
  const dim3 block(TX, TY), grid((columns + BN - 1) / BN, (rows + BM - 1) / BM);
  gemm_bias<<<grid, block>>>(x, weight, bias, out, rows, inner, columns);
  plan<<<(count + 127) / 128, 128>>>(jobs, library_us, own_us, use_own, count, flops_per_us, bytes_per_us,
                                     share, launch_us);
}
