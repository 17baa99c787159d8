// STYLE: a struct with operator() for float and float4, a stride of the grid
// p29 adam_fused: one step of the Adam optimiser over a whole tensor, in one kernel.
//
//   m = beta1 m + (1 - beta1) g          m_hat = m / (1 - beta1^step)
//   v = beta2 v + (1 - beta2) g^2        v_hat = v / (1 - beta2^step)
//   p = p - lr m_hat / (sqrt(v_hat) + eps)
//
// Fill in the three blanks, then run:  grader p29
//
//   update  the arithmetic of one parameter, in registers
//   step    what a thread loads, updates and stores: four reads and three writes a parameter, nothing twice
//   launch  the constants of this step, worked out once on the host, and one launch
//
// p, m and v are changed in place. Steps count from 1. The number of parameters can be anything.

#include <cuda_runtime.h>

#include <cmath>

// What one step needs, and the rule itself: one parameter at a time.
struct Adam {
  float beta1, beta2, rest1, rest2;  // rest = 1 - beta
  float rate;                        // lr / (1 - beta1^step)
  float unroot;                      // 1 / sqrt(1 - beta2^step)
  float eps;

  __device__ void operator()(float& p, float g, float& m, float& v) const {
    m = fmaf(beta1, m, rest1 * g);
    v = fmaf(beta2, v, rest2 * (g * g));
    p -= rate * m / fmaf(sqrtf(v), unroot, eps);
  }

  __device__ void operator()(float4& p, const float4& g, float4& m, float4& v) const {
    (*this)(p.x, g.x, m.x, v.x);
    (*this)(p.y, g.y, m.y, v.y);
    (*this)(p.z, g.z, m.z, v.z);
    (*this)(p.w, g.w, m.w, v.w);
  }
};

// The four tensors, seen as floats or as float4.
template <typename T>
struct Tensors {
  T* p;
  const T* g;
  T* m;
  T* v;
};

template <typename T>
__device__ __forceinline__ void one(const Tensors<T>& t, long i, const Adam& adam) {
  T p = t.p[i], m = t.m[i], v = t.v[i];
  const T g = t.g[i];
  adam(p, g, m, v);
  t.p[i] = p;
  t.m[i] = m;
  t.v[i] = v;
}

__global__ void __launch_bounds__(512)
    adam_grid_stride(Tensors<float4> quads, Tensors<float> singles, long count, Adam adam) {
  const long me = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long all = static_cast<long>(gridDim.x) * blockDim.x;
  const long whole = count >> 2;
  for (long q = me; q < whole; q += all) one(quads, q, adam);
  const long last = (whole << 2) + me;
  if (last < count) one(singles, last, adam);
}

void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count <= 0) return;
  const double left1 = 1.0 - std::pow(static_cast<double>(beta1), step);
  const double left2 = 1.0 - std::pow(static_cast<double>(beta2), step);
  Adam adam;
  adam.beta1 = beta1;
  adam.beta2 = beta2;
  adam.rest1 = 1.0f - beta1;
  adam.rest2 = 1.0f - beta2;
  adam.rate = static_cast<float>(lr / left1);
  adam.unroot = static_cast<float>(1.0 / std::sqrt(left2));
  adam.eps = eps;

  const int threads = 512;
  long blocks = (count / 4 + threads - 1) / threads;
  if (blocks < 1) blocks = 1;
  if (blocks > 132 * 32) blocks = 132 * 32;
  const auto as4 = [](auto* at) { return reinterpret_cast<float4*>(at); };
  const Tensors<float4> quads{as4(parameters), reinterpret_cast<const float4*>(gradients), as4(m), as4(v)};
  const Tensors<float> singles{parameters, gradients, m, v};
  adam_grid_stride<<<static_cast<unsigned>(blocks), threads>>>(quads, singles, count, adam);
}
