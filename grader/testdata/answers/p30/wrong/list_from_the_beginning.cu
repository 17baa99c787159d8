// ENTRY: kernel
// CLASS: index
// CAUSE: The list of each further launch is copied from the beginning and not from what has been sent.
// SAYS: sent
// NEVER: race|barrier
// HELD: no
// p30: one Adam step over all tensors of a model. The list of chunks travels as an argument of the kernel, so
// no allocation and no copy is needed; arguments may have 4096 bytes, a longer list goes in several launches.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

constexpr int kThreads = 256;
constexpr long kPiece = 4096;        // parameters of a block, at most
constexpr size_t kListed = 240;      // pieces in the arguments of a launch

struct Piece {
  long begin;
  long count;
};

struct List {
  Piece piece[kListed];
};

struct Constants {
  float beta1, beta2, eps, step_size, root_correction;
};

__device__ __forceinline__ void adam(float& p, float g, float& m, float& v, const Constants& c) {
  m = c.beta1 * m + (1.0f - c.beta1) * g;
  v = c.beta2 * v + (1.0f - c.beta2) * g * g;
  p -= c.step_size * m / (sqrtf(v) * c.root_correction + c.eps);
}

__global__ void __launch_bounds__(kThreads)
    step_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ first,
                float* __restrict__ second, const __grid_constant__ List list,
                const __grid_constant__ Constants constants) {
  const long begin = list.piece[blockIdx.x].begin;
  const int count = static_cast<int>(list.piece[blockIdx.x].count);
  float* p = parameters + begin;
  const float* g = gradients + begin;
  float *m = first + begin, *v = second + begin;

  const int fours = count / 4;
  for (int i = threadIdx.x; i < fours; i += kThreads) {
    float4 pi = reinterpret_cast<float4*>(p)[i];
    const float4 gi = reinterpret_cast<const float4*>(g)[i];
    float4 mi = reinterpret_cast<float4*>(m)[i], vi = reinterpret_cast<float4*>(v)[i];
    adam(pi.x, gi.x, mi.x, vi.x, constants);
    adam(pi.y, gi.y, mi.y, vi.y, constants);
    adam(pi.z, gi.z, mi.z, vi.z, constants);
    adam(pi.w, gi.w, mi.w, vi.w, constants);
    reinterpret_cast<float4*>(p)[i] = pi;
    reinterpret_cast<float4*>(m)[i] = mi;
    reinterpret_cast<float4*>(v)[i] = vi;
  }
  const int i = 4 * fours + static_cast<int>(threadIdx.x);  // the last one to three
  if (i < count) adam(p[i], g[i], m[i], v[i], constants);
}

void adam_step(float* parameters, const float* gradients, float* m, float* v, const long* offsets,
               const long* sizes, int tensors, float lr, float beta1, float beta2, float eps, int step) {
  const double left1 = 1.0 - std::pow(static_cast<double>(beta1), step);
  const double left2 = 1.0 - std::pow(static_cast<double>(beta2), step);
  const Constants constants{beta1, beta2, eps, static_cast<float>(lr / left1),
                            static_cast<float>(1.0 / std::sqrt(left2))};
  std::vector<Piece> pieces;
  for (int t = 0; t < tensors; ++t)
    for (long done = 0; done < sizes[t]; done += kPiece)
      pieces.push_back({offsets[t] + done, std::min(kPiece, sizes[t] - done)});

  for (size_t sent = 0; sent < pieces.size(); sent += kListed) {
    const size_t now = std::min(kListed, pieces.size() - sent);
    List list{};
    std::copy_n(pieces.begin(), now, list.piece);
    step_kernel<<<static_cast<unsigned>(now), kThreads>>>(parameters, gradients, m, v, list, constants);
  }
}
