// ENTRY: kernel
// CLASS: index
// CAUSE: the first warp is merged twice, as it is what the loop begins with
// SAYS: Moments\{\} in front of the loop
// p12: LayerNorm, fifth rung: a block for each row, for rows that are wide.
//
//   mean[r] = sum of x[r][c] / N      rstd[r] = 1 / sqrt(sum of (x[r][c] - mean[r])^2 / N + eps)
//   out[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
//   x, out [M,N]   gamma, beta [N]   mean, rstd [M]
//
// Fill in `block_stage`, `statistics`, `normalize` and `launch`. All threads of a block work on one row; x is
// still asked for twice in all. Moments and what a warp does with them are p11's, given. New is the second
// stage: a shuffle does not reach beyond its warp, so what the warps have found crosses in shared memory.
//
//   stage 1, shuffles        32 lanes -> 1     32 lanes -> 1    ...    32 lanes -> 1
//   shared memory            partial[0]        partial[1]       ...    partial[kWarps - 1]
//   one barrier              -------------------------------------------------------------
//   stage 2, shuffles        every warp reads all of them and merges them for itself
//
//   grader p12     grader hint p12     grader lesson p12
//
// All of this file is yours to change, the launch too; only `layernorm` keeps its name and its parameters.
#include <cuda_runtime.h>

constexpr int kThreads = 512;
constexpr int kWarp = 32;
constexpr int kWarps = kThreads / kWarp;
constexpr unsigned kAllLanes = 0xffffffffu;

// What is known of some values: how many they are, their mean, and the sum of their squares around that mean.
struct Moments {
  float count, mean, squares;
};

__device__ Moments with_value(Moments m, float value) {
  m.count += 1.0f;
  const float delta = value - m.mean;
  m.mean += delta / m.count;
  m.squares += delta * (value - m.mean);
  return m;
}

__device__ Moments merged(Moments a, Moments b) {
  const float count = a.count + b.count;
  if (count == 0.0f) return a;
  const float delta = b.mean - a.mean, share = b.count / count;
  return {count, a.mean + delta * share, a.squares + b.squares + delta * delta * a.count * share};
}

// The moments of all that the lanes of a warp have, in each of them. All 32 must call it.
__device__ Moments warp_moments(Moments m) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    m = merged(m,
               {__shfl_down_sync(kAllLanes, m.count, distance), __shfl_down_sync(kAllLanes, m.mean, distance),
                __shfl_down_sync(kAllLanes, m.squares, distance)});
  return {__shfl_sync(kAllLanes, m.count, 0), __shfl_sync(kAllLanes, m.mean, 0),
          __shfl_sync(kAllLanes, m.squares, 0)};
}

// The moments of all that the threads of a block have, in each of them. All must call it, once in a kernel.
__device__ Moments block_moments(Moments m) {
  [[maybe_unused]] __shared__ Moments partial[kWarps];
  // FILL ME IN: block_stage (roughly 6 lines)
  m = warp_moments(m);
  if (threadIdx.x % kWarp == 0) partial[threadIdx.x / kWarp] = m;
  __syncthreads();
  // kWarps merges for each thread, all of the same words: shared memory broadcasts them.
  m = partial[0];
  for (const Moments& of_warp : partial) m = merged(m, of_warp);
  // END: block_stage
  return m;
}

// Block r has row r.
__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ out, float* __restrict__ mean,
                     float* __restrict__ rstd, int columns, float eps) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* out_row = out + static_cast<size_t>(blockIdx.x) * columns;
  float row_mean = 0.0f, row_rstd = 0.0f;

  // Must set row_mean and row_rstd in every thread, and store them, once.
  // FILL ME IN: statistics (roughly 9 lines)
  Moments mine{};
  for (int c = threadIdx.x; c < columns; c += kThreads) mine = with_value(mine, x_row[c]);
  const Moments all = block_moments(mine);
  row_mean = all.mean;
  row_rstd = rsqrtf(all.squares / all.count + eps);
  if (threadIdx.x == 0) mean[blockIdx.x] = row_mean, rstd[blockIdx.x] = row_rstd;
  // END: statistics

  // Must write every out_row[c].
  // FILL ME IN: normalize (roughly 2 lines)
  for (int c = threadIdx.x; c < columns; c += kThreads)
    out_row[c] = fmaf((x_row[c] - row_mean) * row_rstd, gamma[c], beta[c]);
  // END: normalize
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  // FILL ME IN: launch (roughly 1 line)
  layernorm_kernel<<<rows, kThreads>>>(x, gamma, beta, out, mean, rstd, columns, eps);
  // END: launch
}
