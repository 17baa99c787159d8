// A transpose, naive and through shared memory, where somebody forgot __syncthreads(): the README's example of `grader sim`.
#include <cstdio>

__global__ void transpose(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

__global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x];
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  constexpr int n = 1024;
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  cudaMemset(in, 0, n * n * sizeof(float));
  transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(in, out, n);
  transpose_tiled<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(in, out, n);
  cudaDeviceSynchronize();
  std::puts(cudaGetErrorString(cudaGetLastError()));
}
