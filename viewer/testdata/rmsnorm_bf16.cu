// RMSNorm of 1024 rows of 8192 bf16 values, as five kernels and as one: what the savings calculator reckons with, to be
// counted. viewer/tools/count_rmsnorm.sh runs it on the simulator and writes rmsnorm_bf16.json.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

constexpr int kRows = 1024, kColumns = 8192, kThreads = 256;
using Value = __nv_bfloat16;

__device__ float block_sum(float value) {
  __shared__ float partial[kThreads / 32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0;
  for (int i = 0; i < kThreads / 32; ++i) total += partial[i];
  return total;
}

__global__ void square(const Value* x, Value* squares) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float v = __bfloat162float(x[i]);
  squares[i] = __float2bfloat16(v * v);
}
__global__ void mean(const Value* squares, float* means) {
  float sum = 0;
  for (int c = threadIdx.x; c < kColumns; c += kThreads) sum += __bfloat162float(squares[blockIdx.x * kColumns + c]);
  sum = block_sum(sum);
  if (threadIdx.x == 0) means[blockIdx.x] = sum / kColumns;
}
__global__ void inverse_root(const float* means, float* factors) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  factors[row] = rsqrtf(means[row] + 1e-5f);
}
__global__ void scale(const Value* x, const float* factors, Value* scaled) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  scaled[i] = __float2bfloat16(__bfloat162float(x[i]) * factors[i / kColumns]);
}
__global__ void weigh(const Value* scaled, const Value* weight, Value* out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  out[i] = __float2bfloat16(__bfloat162float(scaled[i]) * __bfloat162float(weight[i % kColumns]));
}

__global__ void fused(const Value* x, const Value* weight, Value* out) {
  const Value* row = x + blockIdx.x * kColumns;
  float sum = 0;
  for (int c = threadIdx.x; c < kColumns; c += kThreads) sum += __bfloat162float(row[c]) * __bfloat162float(row[c]);
  const float factor = rsqrtf(block_sum(sum) / kColumns + 1e-5f);
  for (int c = threadIdx.x; c < kColumns; c += kThreads)
    out[blockIdx.x * kColumns + c] = __float2bfloat16(__bfloat162float(row[c]) * factor * __bfloat162float(weight[c]));
}

int main() {
  const size_t bytes = sizeof(Value) * kRows * kColumns;
  Value *x, *weight, *squares, *scaled, *out;
  float *means, *factors;
  cudaMalloc(&x, bytes);
  cudaMalloc(&weight, sizeof(Value) * kColumns);
  cudaMalloc(&squares, bytes);
  cudaMalloc(&means, sizeof(float) * kRows);
  cudaMalloc(&factors, sizeof(float) * kRows);
  cudaMalloc(&scaled, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(x, 0, bytes);
  cudaMemset(weight, 0, sizeof(Value) * kColumns);
  const int blocks = kRows * kColumns / kThreads;
  square<<<blocks, kThreads>>>(x, squares);
  mean<<<kRows, kThreads>>>(squares, means);
  inverse_root<<<kRows / kThreads, kThreads>>>(means, factors);
  scale<<<blocks, kThreads>>>(x, factors, scaled);
  weigh<<<blocks, kThreads>>>(scaled, weight, out);
  fused<<<kRows, kThreads>>>(x, weight, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
