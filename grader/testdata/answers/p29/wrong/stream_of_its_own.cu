// ENTRY: kernel
// CLASS: stream-order
// CAUSE: The kernel runs on a non-blocking stream, and nothing makes the default stream or the host wait for it.
// SAYS: stream
// SAYS: wait|synchroni
// NEVER: never written
// HELD: no
// p29: Adam in a stream of its own, so that the host can go on with the next layer.
#include <cuda_runtime.h>

#include <cmath>

struct Constants {
  float b1, b2, one_minus_b1, one_minus_b2, rate, root, eps;
};

__device__ __forceinline__ void adam(float& p, const float g, float& m, float& v, const Constants& k) {
  m = fmaf(k.b1, m, k.one_minus_b1 * g);
  v = fmaf(k.b2, v, k.one_minus_b2 * (g * g));
  p -= k.rate * m / fmaf(sqrtf(v), k.root, k.eps);
}

__global__ void adam_each(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m,
                          float* __restrict__ v, long count, Constants k) {
  const long step = static_cast<long>(gridDim.x) * blockDim.x;
  for (long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    float pi = p[i], mi = m[i], vi = v[i];
    adam(pi, g[i], mi, vi, k);
    p[i] = pi;
    m[i] = mi;
    v[i] = vi;
  }
}

static Constants constants(float lr, float beta1, float beta2, float eps, int step) {
  const double c1 = 1.0 - std::pow(double(beta1), step), c2 = 1.0 - std::pow(double(beta2), step);
  return {beta1, beta2, 1.0f - beta1, 1.0f - beta2, float(lr / c1), float(1.0 / std::sqrt(c2)), eps};
}

void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr, float beta1,
               float beta2, float eps, int step) {
  if (count == 0) return;
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  const long blocks = (count + 255) / 256;
  adam_each<<<static_cast<unsigned>(blocks < 4224 ? blocks : 4224), 256, 0, stream>>>(
      parameters, gradients, m, v, count, constants(lr, beta1, beta2, eps, step));
}
