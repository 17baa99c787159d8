// Instructions of a warp for one exact f32 division, by what is divided by what: which operands are left to
// a routine, and what that takes. Of each launch, less the loop's own two, by 1024:
//   nvcc -std=c++20 -O3 -arch=native -o divisions divisions.cu && ncu --metrics smsp__inst_executed.sum
//   ./divisions

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <limits>

namespace {

__global__ void divide(float a, float b, int lane, float its_a, float* out) {
  float sum = 0;
  const float mine = static_cast<int>(threadIdx.x) == lane ? its_a : a;
#pragma unroll 1
  for (int i = 0; i < 1024; ++i) {
    float above = mine, below = b;
    asm volatile("" : "+f"(above), "+f"(below));  // the compiler does not know that they are the same again
    sum += above / below;
  }
  out[threadIdx.x] = sum;
}

}  // namespace

int main() {
  const float inf = std::numeric_limits<float>::infinity();
  const float values[] = {0,      1,     3,     1e-45f, 1e-40f, 1.2e-38f, 1e-35f, 1e-30f, 1e-20f,
                          1e-10f, 1e10f, 1e20f, 1e30f,  1e35f,  1e38f,    3e38f,  inf,    std::nanf("")};
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  int launches = 0;
  for (const float a : values)
    for (const float b : values) {
      std::printf("launch %d: %g / %g\n", launches++, a, b);
      divide<<<1, 32>>>(a, b, -1, a, out);
    }
  std::printf("launch %d: 1 / 3, but for one lane: 0 / 3\n", launches);
  divide<<<1, 32>>>(1, 3, 7, 0, out);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
