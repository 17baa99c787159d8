// STYLE: A compile-time table of kernels, one for each number of kept pieces, made from an index_sequence; the host looks its kernel up by the exact length of the row.
#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <utility>

namespace {

struct Layer {
  const float *x, *gamma, *beta;
  float *out, *mean, *rstd;
  int rows, columns;
  float eps;
};

template <int kFloats>
struct alignas(4 * kFloats) Pack {
  float f[kFloats];
};

template <int kWarps>
__device__ float everyones(float v, float (&slot)[kWarps]) {
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  if constexpr (kWarps > 1) {
    if ((threadIdx.x & 31) == 0) slot[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0.0f;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) v += slot[w];
  }
  return v;
}

// kWarps warps work on a row; blockDim.x is 32 * kWarps, and threadIdx.y counts the rows of the block.
template <int kFloats, int kWarps, int kKept, int kRowsOfBlock>
__global__ void __launch_bounds__(32 * kWarps* kRowsOfBlock) keep_row(const Layer a) {
  static_assert(kWarps == 1 || kRowsOfBlock == 1);
  using P = Pack<kFloats>;
  constexpr int kStep = 32 * kWarps;
  __shared__ float slots[2][kWarps];
  const int row = blockIdx.x * kRowsOfBlock + threadIdx.y;
  if (row >= a.rows) return;
  const int length = a.columns / kFloats, mine = threadIdx.x;
  const P* __restrict__ x = reinterpret_cast<const P*>(a.x) + static_cast<size_t>(row) * length;
  const P* __restrict__ gamma = reinterpret_cast<const P*>(a.gamma);
  const P* __restrict__ beta = reinterpret_cast<const P*>(a.beta);
  P* __restrict__ out = reinterpret_cast<P*>(a.out) + static_cast<size_t>(row) * length;

  P kept[kKept];
#pragma unroll
  for (int i = 0; i < kKept; ++i) kept[i] = mine + i * kStep < length ? x[mine + i * kStep] : P{};

  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kKept; ++i)
#pragma unroll
    for (int e = 0; e < kFloats; ++e) sum += kept[i].f[e];
#pragma unroll 1
  for (int p = mine + kKept * kStep; p < length; p += kStep) {
    const P v = x[p];
#pragma unroll
    for (int e = 0; e < kFloats; ++e) sum += v.f[e];
  }
  const float mu = everyones<kWarps>(sum, slots[0]) / a.columns;

  float square = 0.0f;
#pragma unroll
  for (int i = 0; i < kKept; ++i) {
    const float counts = mine + i * kStep < length ? 1.0f : 0.0f;
#pragma unroll
    for (int e = 0; e < kFloats; ++e) {
      const float d = (kept[i].f[e] - mu) * counts;
      square = fmaf(d, d, square);
    }
  }
#pragma unroll 1
  for (int p = mine + kKept * kStep; p < length; p += kStep) {
    const P v = x[p];
#pragma unroll
    for (int e = 0; e < kFloats; ++e) square = fmaf(v.f[e] - mu, v.f[e] - mu, square);
  }
  const float s = 1.0f / sqrtf(everyones<kWarps>(square, slots[1]) / a.columns + a.eps);
  if (mine == 0) {
    a.mean[row] = mu;
    a.rstd[row] = s;
  }

#pragma unroll
  for (int i = 0; i < kKept; ++i) {
    const int p = mine + i * kStep;
    if (p >= length) continue;
    const P g = gamma[p], b = beta[p];
#pragma unroll
    for (int e = 0; e < kFloats; ++e) kept[i].f[e] = fmaf((kept[i].f[e] - mu) * s, g.f[e], b.f[e]);
    out[p] = kept[i];
  }
#pragma unroll 1
  for (int p = mine + kKept * kStep; p < length; p += kStep) {
    const P g = gamma[p], b = beta[p];
    P v = x[p];
#pragma unroll
    for (int e = 0; e < kFloats; ++e) v.f[e] = fmaf((v.f[e] - mu) * s, g.f[e], b.f[e]);
    out[p] = v;
  }
}

template <int kFloats, int kWarps, int kKept>
void start(const Layer& a) {
  constexpr int kRowsOfBlock = kWarps == 1 ? 4 : 1;
  keep_row<kFloats, kWarps, kKept, kRowsOfBlock>
      <<<(a.rows + kRowsOfBlock - 1) / kRowsOfBlock, dim3(32 * kWarps, kRowsOfBlock)>>>(a);
}

using Start = void (*)(const Layer&);

template <int kFloats, int kWarps, int... kZeroBased>
constexpr std::array<Start, sizeof...(kZeroBased)> table(std::integer_sequence<int, kZeroBased...>) {
  return {start<kFloats, kWarps, kZeroBased + 1>...};
}

template <int kFloats>
Start look_up(int columns) {
  static constexpr auto kOfWarp = table<kFloats, 1>(std::make_integer_sequence<int, 8>{});
  static constexpr auto kOfBlock = table<kFloats, 8>(std::make_integer_sequence<int, 6>{});
  const int length = columns / kFloats;
  const int of_lane = (length + 31) / 32, of_thread = (length + 255) / 256;
  if (of_lane <= static_cast<int>(kOfWarp.size())) return kOfWarp[of_lane - 1];
  if (of_thread <= static_cast<int>(kOfBlock.size())) return kOfBlock[of_thread - 1];
  return start<kFloats, 32, 16 / kFloats>;
}

}  // namespace

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  const auto starts_at_16 = [](auto... p) { return ((reinterpret_cast<std::uintptr_t>(p) % 16 == 0) && ...); };
  const bool wide = columns % 4 == 0 && starts_at_16(x, gamma, beta, out);
  (wide ? look_up<4>(columns) : look_up<1>(columns))({x, gamma, beta, out, mean, rstd, rows, columns, eps});
}
