// Threads of the host, each with its own default stream and one that it makes, give work at the same time.
//# flags --default-stream per-thread -lineinfo
//# stdout 1408
#include <cstdio>
#include <thread>
#include <vector>

__global__ void add(int* x, int value) { atomicAdd(x + threadIdx.x, value); }

int main() {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([=] {
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      for (int k = 0; k < 50; ++k) add<<<1, 64, 0, stream>>>(x, i);
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
      add<<<1, 64>>>(x, 1);
    });
  for (std::thread& thread : threads) thread.join();
  int host = 0;
  cudaMemcpy(&host, x + 63, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
}
