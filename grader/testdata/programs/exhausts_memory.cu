// More than there is: the error of CUDA, and the program can go on with less.
//# stdout cudaErrorMemoryAllocation cudaErrorMemoryAllocation cudaErrorMemoryAllocation 7
#include <cstdio>

__global__ void put(int* out) { *out = 7; }

int main() {
  void *much = nullptr, *managed = nullptr, *host = nullptr;
  const std::size_t bytes = std::size_t{1} << 45;
  const cudaError_t first = cudaMalloc(&much, bytes), second = cudaMallocManaged(&managed, bytes),
                    third = cudaMallocHost(&host, bytes);
  int *out, value = 0;
  cudaMalloc(&out, sizeof(int));
  put<<<1, 1>>>(out);
  cudaMemcpy(&value, out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s %s %s %d\n", cudaGetErrorName(first), cudaGetErrorName(second), cudaGetErrorName(third), value);
}
