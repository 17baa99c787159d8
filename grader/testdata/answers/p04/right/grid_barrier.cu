// STYLE: one cooperative launch for the unfused entry with a barrier of the whole grid, 32 threads a block for the fused one
#include <cooperative_groups.h>
#include <cuda_runtime.h>

template <class T>
struct Gelu {
  __device__ T operator()(T v) const {
    T result = 0;
    // FILL ME IN: gelu_tanh (roughly 2 lines)
    const T t = T(0.7978845608) * (v + T(0.044715) * v * v * v);
    result = T(0.5) * v * (T(1) + tanhf(t));
    // END: gelu_tanh
    return result;
  }
};

__global__ void both(const float* x, const float* bias, float* biased, float* out, int rows, int columns) {
  const auto grid = cooperative_groups::this_grid();
  const int count = rows * columns, all = static_cast<int>(grid.size());
  // FILL ME IN: add_bias (roughly 2 lines)
  for (int i = static_cast<int>(grid.thread_rank()); i < count; i += all) biased[i] = x[i] + bias[i % columns];
  // END: add_bias
  grid.sync();
  // FILL ME IN: apply_gelu (roughly 2 lines)
  // From the far end: another thread's elements, which the barrier makes visible.
  for (int i = static_cast<int>(grid.thread_rank()); i < count; i += all)
    out[count - 1 - i] = Gelu<float>()(biased[count - 1 - i]);
  // END: apply_gelu
}

template <int kThreads, class F>
__global__ void __launch_bounds__(kThreads)
    mapped(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ out, int columns, F f) {
  const size_t row = static_cast<size_t>(blockIdx.y) * columns;
  // FILL ME IN: fused (roughly 10 lines)
  const auto one = [&](int c) { out[row + c] = f(x[row + c] + bias[c]); };
  for (int c = blockIdx.x * kThreads + threadIdx.x; c < columns; c += gridDim.x * kThreads) one(c);
  // END: fused
}

void bias_gelu_unfused(const float* x, const float* bias, float* out, int rows, int columns) {
  float* biased = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&biased), sizeof(float) * rows * columns);
  void* arguments[] = {&x, &bias, &biased, &out, &rows, &columns};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(both), dim3(64), dim3(256), arguments, 0, nullptr);
  cudaFree(biased);
}

void bias_gelu_fused(const float* x, const float* bias, float* out, int rows, int columns) {
  mapped<32><<<dim3((columns + 31) / 32, rows), 32>>>(x, bias, out, columns, Gelu<float>());
}
