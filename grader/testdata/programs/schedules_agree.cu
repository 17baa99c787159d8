//# options --schedules 6
//# says the same results in order and in 6 other schedules
//# says sum 1999000
// Integer sums come out the same in every order; the time of day, elapsed time and the order of device printf are no result.
#include <chrono>
#include <cstdio>

__global__ void total(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
  if (threadIdx.x == 0) printf("block %d\n", (int)blockIdx.x);
}

int main() {
  const int n = 2000;
  int *in, *out, host[n], result = 0;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(int));
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  total<<<16, 128>>>(in, out, n);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  const long long now = std::chrono::steady_clock::now().time_since_epoch().count();
  printf("at %lld, %f ms\nsum %d\n", now, milliseconds, result);
}
