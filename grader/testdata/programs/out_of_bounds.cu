// A little too far: hardware does not notice, the simulator does, and the program's own 0 does not hide it.
//# exit 1
//# stdout no error
//# fault out-of-bounds 10
//# says just past the end of `buffer 1`
//# says out_of_bounds.cu:10
#include <cstdio>

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 126 * sizeof(int));
  fill<<<1, 128>>>(out);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
