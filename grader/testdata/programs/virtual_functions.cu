// Objects made by the threads themselves, called through their tables; a function that calls itself.
//# stdout 9.0 12.0 144
#include <cstdio>

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Disc : Shape {
  float radius;
  __device__ explicit Disc(float r) : radius(r) {}
  __device__ float area() const override { return 3 * radius * radius; }
};

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void areas(float* out, int* numbers) {
  const Square square(threadIdx.x);
  const Disc disc(threadIdx.x);
  const Shape* shape = threadIdx.x % 2 ? static_cast<const Shape*>(&square) : &disc;
  out[threadIdx.x] = shape->area();
  numbers[threadIdx.x] = fibonacci(threadIdx.x % 13);
}

int main() {
  float *out, area[32];
  int *numbers, number[32];
  cudaMalloc(&out, sizeof area);
  cudaMalloc(&numbers, sizeof number);
  areas<<<1, 32>>>(out, numbers);
  cudaMemcpy(area, out, sizeof area, cudaMemcpyDeviceToHost);
  cudaMemcpy(number, numbers, sizeof number, cudaMemcpyDeviceToHost);
  std::printf("%.1f %.1f %d\n", area[3], area[2], number[12]);
}
