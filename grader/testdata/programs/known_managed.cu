// As known_launches.cu, where the host writes a __managed__ variable between launches and calls nothing.
//# exit 0
//# stdout 4 4 4 4 4 4 4 4 4 4 9 9 9 9 9 9 9 9 9 9 done
#include <cstdio>

__managed__ int offset, sums[2048];

__global__ void store() {
  int* sum = sums + blockIdx.x * blockDim.x + threadIdx.x;
  *sum = 0;
  for (int i = 0; i < 40; ++i) *sum = *sum * 5 ^ (*sum >> 3);
  *sum += offset;
}

int main() {
  for (int i = 0; i < 20; ++i) {
    offset = i < 10 ? 4 : 9;
    store<<<32, 64>>>();
    cudaDeviceSynchronize();
    std::printf("%d ", sums[2047]);
  }
  std::puts("done");
}
