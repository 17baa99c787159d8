// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Tiles of 32 with one result a thread ask for x and weight twice as often as tiles of 64.
// SAYS: x\b|weight|requested|passes|times
// NEVER: barrier|\brace\b|uninitiali
// HELD: no
#include <cuda_runtime.h>

__global__ void linear(const float* x, const float* weight, const float* bias, float* out, int rows, int inner, int columns) {
  __shared__ float a[32][33], b[32][33];
  int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  float s = 0;
  for (int k0 = 0; k0 < inner; k0 += 32) {
    int k = k0 + threadIdx.x, wrow = blockIdx.x * 32 + threadIdx.y;
    a[threadIdx.y][threadIdx.x] = row < rows && k < inner ? x[(size_t)row * inner + k] : 0;
    b[threadIdx.y][threadIdx.x] = wrow < columns && k < inner ? weight[(size_t)wrow * inner + k] : 0;
    __syncthreads();
    // FILL ME IN: multiply (roughly 12 lines)
    for (int k = 0; k < 32; k++) s += a[threadIdx.y][k] * b[threadIdx.x][k];
    // END: multiply
    __syncthreads();
  }
  // FILL ME IN: store (roughly 8 lines)
  if (row < rows && col < columns) out[(size_t)row * columns + col] = s + bias[col];
  // END: store
}

__global__ void plan_kernel(const int* jobs, float* library_us, float* own_us, int* use_own, int count, float flops_per_us,
                            float bytes_per_us, float share, float launch_us) {
  const int job = blockIdx.x * blockDim.x + threadIdx.x;
  if (job >= count) return;
  const int m = jobs[job], k = jobs[count + job], n = jobs[2 * count + job];
  const int steps = jobs[3 * count + job];
  float library = 0, own = 0;
  // FILL ME IN: plan (roughly 7 lines)
  float flops = 2.0f * m * k * n;
  float bytes = 4.0f * ((float)m * k + (float)k * n + (float)m * n);
  float step = 8.0f * m * n / bytes_per_us + launch_us;
  library = fmaxf(flops / flops_per_us, bytes / bytes_per_us) + launch_us + steps * step;
  own = fmaxf(flops / (flops_per_us * share), bytes / bytes_per_us) + launch_us;
  // END: plan
  library_us[job] = library;
  own_us[job] = own;
  use_own[job] = own < library;
}

void linear_and_plan(const float* x, const float* weight, const float* bias, float* out, int rows, int inner,
                     int columns, const int* jobs, float* library_us, float* own_us, int* use_own, int count,
                     float flops_per_us, float bytes_per_us, float share, float launch_us) {
  // FILL ME IN: launch (roughly 5 lines)
  linear<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(x, weight, bias, out, rows, inner, columns);
  plan_kernel<<<(count + 255) / 256, 256>>>(jobs, library_us, own_us, use_own, count, flops_per_us, bytes_per_us, share, launch_us);
  // END: launch
}
