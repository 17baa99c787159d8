// Its second launch never ends, in the second of two blocks.
__global__ void nothing() {}
__global__ void spin(volatile int* x) {
  while (blockIdx.x == 1 && *x == 0) {
  }
}

int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  nothing<<<1, 1>>>();
  spin<<<2, 32>>>(x);
  cudaDeviceSynchronize();
}
