// Host code that follows a pointer of cudaMalloc ends as it would beside a GPU, and is told why; managed and pinned
// memory it may touch.
//# needs memory protection keys
//# exit 1
//# stdout 9
//# says crashed on the host
//# says byte 20 of an allocation of 4096 bytes by cudaMalloc
#include <cstdio>

__global__ void add(int* x, const int* y) { x[threadIdx.x] += *y; }

int main() {
  int *device, *managed, *pinned;
  cudaMalloc(&device, 4096);
  cudaMallocManaged(&managed, 4096);
  cudaMallocHost(&pinned, 4096);
  managed[0] = 4;
  pinned[0] = 5;
  add<<<1, 1>>>(managed, pinned);
  cudaDeviceSynchronize();
  std::printf("%d\n", managed[0]);
  std::fflush(stdout);
  device[5] = 1;
  std::puts("not reached");
}
