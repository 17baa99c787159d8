// ENTRY: kernel
// CLASS: control-flow
// CAUSE: Wide rows have blocks of 6 warps, and the second stage of the block sum is a butterfly over 6 partial sums with distances 3 and 1, which is right only for a power of two: warps 4 and 5 are left out or counted wrongly.
// SAYS: power of two|warps? 4|left out|butterfly|halv
// NEVER: bf16|fp16|tf32|digits|no pattern
// HELD: no
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

template <int W>
__device__ __forceinline__ float team_sum(float v, float* cell) {
#pragma unroll
  for (int d = 16; d >= 1; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  if constexpr (W > 1) {
    const int lane = threadIdx.x & 31;
    if (lane == 0) cell[threadIdx.x >> 5] = v;
    __syncthreads();
    v = cell[lane % W];
#pragma unroll
    for (int d = W / 2; d >= 1; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  }
  return v;
}

template <typename T>
constexpr int kWidth = static_cast<int>(sizeof(T) / sizeof(float));

// A team of W warps has a row, and each thread keeps K elements of type T.
template <typename T, int W, int K>
__global__ void __launch_bounds__(W == 1 ? 128 : 32 * W)
    resident(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
             float* __restrict__ out, float* __restrict__ mean, float* __restrict__ rstd, int rows, int columns,
             float eps) {
  constexpr int kTeam = 32 * W;
  constexpr int kTeams = W == 1 ? 4 : 1;
  __shared__ float cells[2][W];
  const int row = blockIdx.x * kTeams + threadIdx.x / kTeam;
  if (row >= rows) return;
  const int me = threadIdx.x % kTeam, count = columns / kWidth<T>;
  const T* in = reinterpret_cast<const T*>(x + static_cast<size_t>(row) * columns);
  const T* g = reinterpret_cast<const T*>(gamma);
  const T* b = reinterpret_cast<const T*>(beta);
  T* to = reinterpret_cast<T*>(out + static_cast<size_t>(row) * columns);

  union Cell {
    T whole;
    float f[kWidth<T>];
    __device__ Cell() : whole{} {}
  };
  Cell kept[K];
#pragma unroll
  for (int k = 0; k < K; ++k)
    if (me + k * kTeam < count) kept[k].whole = in[me + k * kTeam];

  float acc = 0.0f;
#pragma unroll
  for (int k = 0; k < K; ++k)
#pragma unroll
    for (int e = 0; e < kWidth<T>; ++e) acc += kept[k].f[e];
#pragma unroll 1
  for (int p = me + K * kTeam; p < count; p += kTeam) {
    Cell c;
    c.whole = in[p];
#pragma unroll
    for (int e = 0; e < kWidth<T>; ++e) acc += c.f[e];
  }
  const float mu = team_sum<W>(acc, cells[0]) / columns;

  acc = 0.0f;
#pragma unroll
  for (int k = 0; k < K; ++k)
    if (me + k * kTeam < count)
#pragma unroll
      for (int e = 0; e < kWidth<T>; ++e) acc += (kept[k].f[e] - mu) * (kept[k].f[e] - mu);
#pragma unroll 1
  for (int p = me + K * kTeam; p < count; p += kTeam) {
    Cell c;
    c.whole = in[p];
#pragma unroll
    for (int e = 0; e < kWidth<T>; ++e) acc += (c.f[e] - mu) * (c.f[e] - mu);
  }
  const float s = rsqrtf(team_sum<W>(acc, cells[1]) / columns + eps);
  if (me == 0) {
    mean[row] = mu;
    rstd[row] = s;
  }

  const auto put = [&](int p, Cell c) {
    Cell scale, shift;
    scale.whole = g[p];
    shift.whole = b[p];
#pragma unroll
    for (int e = 0; e < kWidth<T>; ++e) c.f[e] = (c.f[e] - mu) * s * scale.f[e] + shift.f[e];
    to[p] = c.whole;
  };
#pragma unroll
  for (int k = 0; k < K; ++k)
    if (me + k * kTeam < count) put(me + k * kTeam, kept[k]);
#pragma unroll 1
  for (int p = me + K * kTeam; p < count; p += kTeam) {
    Cell c;
    c.whole = in[p];
    put(p, c);
  }
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  bool vec = columns % 4 == 0;
  for (const void* p : {static_cast<const void*>(x), static_cast<const void*>(gamma),
                        static_cast<const void*>(beta), static_cast<const void*>(out)})
    vec = vec && reinterpret_cast<std::uintptr_t>(p) % 16 == 0;
  const auto go = [&](auto kernel, int blocks, int threads) {
    kernel<<<blocks, threads>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
  };
  const int quads = (rows + 3) / 4;
  if (vec) {
    if (columns <= 128)
      go(resident<float4, 1, 1>, quads, 128);
    else if (columns <= 256)
      go(resident<float4, 1, 2>, quads, 128);
    else if (columns <= 768)
      go(resident<float4, 6, 1>, rows, 192);
    else if (columns <= 2304)
      go(resident<float4, 6, 3>, rows, 192);
    else
      go(resident<float4, 6, 6>, rows, 192);
  } else {
    if (columns <= 64)
      go(resident<float, 1, 2>, quads, 128);
    else if (columns <= 256)
      go(resident<float, 1, 8>, quads, 128);
    else if (columns <= 768)
      go(resident<float, 6, 4>, rows, 192);
    else
      go(resident<float, 6, 16>, rows, 192);
  }
}
