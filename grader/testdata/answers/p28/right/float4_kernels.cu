// STYLE: four parameters a thread as float4, tails one by one
#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 128;

template <class F>
__device__ void by_fours(long n, F f) {
  const long first = 4 * (blockIdx.x * long(kThreads) + threadIdx.x);
  if (first + 4 <= n)
    f.four(first);
  else
    for (long i = first; i < n; ++i) f.one(i);
}

struct Moment {
  const float* g;
  float* to;
  float beta;
  bool square;
// FILL ME IN: first_moment (roughly 1 lines)
  __device__ float of(float g, float old) const { return beta * old + (1 - beta) * (square ? g * g : g); }
// END: first_moment
  __device__ void one(long i) const { to[i] = of(g[i], to[i]); }
  __device__ void four(long i) const {
    const float4 a = *(const float4*)(g + i);
    float4 b = *(float4*)(to + i);
// FILL ME IN: second_moment (roughly 1 lines)
    b.x = of(a.x, b.x), b.y = of(a.y, b.y), b.z = of(a.z, b.z), b.w = of(a.w, b.w);
// END: second_moment
    *(float4*)(to + i) = b;
  }
};
// FILL ME IN: correct (roughly 9 lines)
struct Hat {
  const float* from;
  float *to, correction;
  __device__ void one(long i) const { to[i] = from[i] / correction; }
  __device__ void four(long i) const {
    const float4 a = *(const float4*)(from + i);
    *(float4*)(to + i) = make_float4(a.x / correction, a.y / correction, a.z / correction, a.w / correction);
  }
};
// END: correct
// FILL ME IN: update (roughly 10 lines)
struct Step {
  const float *m, *v;
  float *p, lr, eps;
  __device__ float of(float p, float m, float v) const { return p - lr * m / (sqrtf(v) + eps); }
  __device__ void one(long i) const { p[i] = of(p[i], m[i], v[i]); }
  __device__ void four(long i) const {
    const float4 a = *(const float4*)(m + i), b = *(const float4*)(v + i), c = *(const float4*)(p + i);
    *(float4*)(p + i) = make_float4(of(c.x, a.x, b.x), of(c.y, a.y, b.y), of(c.z, a.z, b.z), of(c.w, a.w, b.w));
  }
};
// END: update
template <class F>
__global__ void run(long n, F f) {
  by_fours(n, f);
}

void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr, float beta1,
               float beta2, float eps, int step) {
  if (count == 0) return;
  float *m_hat, *v_hat;
  cudaMalloc(&m_hat, sizeof(float) * count);
  cudaMalloc(&v_hat, sizeof(float) * count);
  // FILL ME IN: launches (roughly 8 lines)
  const unsigned blocks = unsigned((count + 4 * kThreads - 1) / (4 * kThreads));
  run<<<blocks, kThreads>>>(count, Moment{gradients, m, beta1, false});
  run<<<blocks, kThreads>>>(count, Hat{m, m_hat, float(1 - std::pow(double(beta1), step))});
  run<<<blocks, kThreads>>>(count, Moment{gradients, v, beta2, true});
  run<<<blocks, kThreads>>>(count, Hat{v, v_hat, float(1 - std::pow(double(beta2), step))});
  run<<<blocks, kThreads>>>(count, Step{m_hat, v_hat, parameters, lr, eps});
  // END: launches
  cudaFree(m_hat);
  cudaFree(v_hat);
}
