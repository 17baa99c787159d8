// STYLE: one kernel: the last blocks of the grid make the plan, in double; 128 x 64 results a block, 8 x 4 a thread
#include <cuda_runtime.h>

constexpr int kM = 128, kN = 64, kK = 8, kPlanned = 256;

struct Plan {
  const int* jobs;
  float *library, *own;
  int *use, count;
  double flops, bytes, share, launch;
};

__device__ void plan_one(const Plan& p, int j) {
  // FILL ME IN: plan (roughly 7 lines)
  const double m = p.jobs[j], k = p.jobs[p.count + j], n = p.jobs[2 * p.count + j], s = p.jobs[3 * p.count + j];
  const double compute = 2 * m * n * k / p.flops, memory = (m * k + n * k + n * m) * 4 / p.bytes;
  const double theirs = (compute > memory ? compute : memory) + (s + 1) * p.launch + s * 2 * (m * n * 4) / p.bytes;
  const double mine = (compute > memory * p.share ? compute / p.share : memory) + p.launch;
  p.library[j] = float(theirs);
  p.own[j] = float(mine);
  p.use[j] = mine < theirs ? 1 : 0;
  // END: plan
}

__global__ void __launch_bounds__(256) both(const float* __restrict__ x, const float* __restrict__ w,
                                            const float* __restrict__ bias, float* __restrict__ out, int rows,
                                            int inner, int columns, int across, int tiles, Plan p) {
  if (int(blockIdx.x) >= tiles) {
    const int j = (blockIdx.x - tiles) * kPlanned + threadIdx.x;
    if (j < p.count) plan_one(p, j);
    return;
  }
  __shared__ float a[kK][kM + 4], b[kK][kN + 4];
  const int row0 = blockIdx.x / across * kM, col0 = blockIdx.x % across * kN;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float acc[8][4] = {};
  for (int k0 = 0; k0 < inner; k0 += kK) {
    for (int i = threadIdx.x; i < kM * kK; i += 256) {
      const int r = row0 + i / kK, k = k0 + i % kK;
      a[i % kK][i / kK] = r < rows && k < inner ? x[size_t(r) * inner + k] : 0.f;
    }
    for (int i = threadIdx.x; i < kN * kK; i += 256) {
      const int c = col0 + i / kK, k = k0 + i % kK;
      b[i % kK][i / kK] = c < columns && k < inner ? w[size_t(c) * inner + k] : 0.f;
    }
    __syncthreads();
    // FILL ME IN: multiply (roughly 12 lines)
#pragma unroll
    for (int k = 0; k < kK; ++k)
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float v = b[k][tx + 16 * j];
#pragma unroll
        for (int i = 0; i < 8; ++i) acc[i][j] = fmaf(a[k][ty + 16 * i], v, acc[i][j]);
      }
    // END: multiply
    __syncthreads();
  }
  // FILL ME IN: store (roughly 8 lines)
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) {
      const int r = row0 + ty + 16 * i, c = col0 + tx + 16 * j;
      if (r < rows && c < columns) out[size_t(r) * columns + c] = acc[i][j] + bias[c];
    }
  // END: store
}

void linear_and_plan(const float* x, const float* weight, const float* bias, float* out, int rows, int inner,
                     int columns, const int* jobs, float* library_us, float* own_us, int* use_own, int count,
                     float flops_per_us, float bytes_per_us, float share, float launch_us) {
  // FILL ME IN: launch (roughly 5 lines)
  const int across = (columns + kN - 1) / kN, tiles = across * ((rows + kM - 1) / kM);
  const Plan plan{jobs, library_us, own_us, use_own, count, flops_per_us, bytes_per_us, share, launch_us};
  both<<<tiles + (count + kPlanned - 1) / kPlanned, 256>>>(x, weight, bias, out, rows, inner, columns, across, tiles,
                                                           plan);
  // END: launch
}
