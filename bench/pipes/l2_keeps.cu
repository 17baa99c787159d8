// How much L2 keeps: of what is read, when it is read again; and of what is written, before it has to go to
// DRAM. DRAM's own counters say it, in the order of the lines that this prints:
//   nvcc -std=c++20 -O3 -arch=native -o l2_keeps l2_keeps.cu && ncu --cache-control none --clock-control none
//     --metrics dram__bytes_read.sum,dram__bytes_write.sum ./l2_keeps

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr std::size_t kMegabyte = 1 << 20, kBuffer = 512 * kMegabyte;
constexpr int kBlocks = 4096, kThreads = 128;

// Each block has the same part of the first `bytes` in every launch.
__global__ void read(const float4* __restrict__ from, float4* unused, std::size_t bytes) {
  const std::size_t each = bytes / sizeof(float4) / kBlocks;
  float4 sum = {1, 1, 1, 1};
  for (std::size_t i = threadIdx.x; i < each; i += kThreads) {
    const float4 value = from[blockIdx.x * each + i];
    sum.x += value.x, sum.y += value.y;
  }
  if (sum.x == -1) *unused = sum;  // which is never so
}

__global__ void write(float4* to, std::size_t bytes) {
  const std::size_t each = bytes / sizeof(float4) / kBlocks;
  for (std::size_t i = threadIdx.x; i < each; i += kThreads) to[blockIdx.x * each + i] = {1, 1, 1, 1};
}

// Of each row of 1024 floats one more than of the row before, in squares of 1024 rows.
__global__ void write_triangles(float* to) {
  const std::size_t row = blockIdx.x;
  for (std::size_t column = threadIdx.x; column <= row % 1024; column += kThreads)
    to[row * 1024 + column] = 1;
}

// Reads as much as it writes.
__global__ void copy(const float4* __restrict__ from, float4* to, std::size_t bytes) {
  const std::size_t each = bytes / sizeof(float4) / kBlocks;
  for (std::size_t i = threadIdx.x; i < each; i += kThreads)
    to[blockIdx.x * each + i] = from[blockIdx.x * each + i];
}

int launches = 0;
float4* buffers[3];

void read_first(int megabytes, int buffer, const char* says) {
  std::printf("launch %d: %d MB are read%s\n", launches++, megabytes, says);
  read<<<kBlocks, kThreads>>>(buffers[buffer], buffers[(buffer + 1) % 3], megabytes * kMegabyte);
}
void write_first(int megabytes, int buffer) {
  std::printf("launch %d: %d MB are written\n", launches++, megabytes);
  write<<<kBlocks, kThreads>>>(buffers[buffer], megabytes * kMegabyte);
}
void write_triangles_first(int squares) {
  std::printf("launch %d: %.1f MB are written as %d triangles\n", launches++, squares * 1024 * 1025 * 2e-6,
              squares);
  write_triangles<<<squares * 1024, kThreads>>>(reinterpret_cast<float*>(buffers[1]));
}
void copy_first(int megabytes) {
  std::printf("launch %d: %d MB are copied\n", launches++, megabytes);
  copy<<<kBlocks, kThreads>>>(buffers[0], buffers[1], megabytes * kMegabyte);
}
void empty() { read_first(512, 2, ", so that nothing else is left"); }

}  // namespace

int main() {
  for (float4*& buffer : buffers) {
    cudaMalloc(&buffer, kBuffer);
    cudaMemset(buffer, 0, kBuffer);
  }
  for (const int megabytes : {6, 12, 19, 25, 31, 38, 44, 50, 56, 63, 75}) {
    empty(), read_first(megabytes, 0, ""), read_first(megabytes, 0, " again");
    empty(), write_first(megabytes, 1), read_first(megabytes, 1, ", the same");
  }
  for (const int written : {6, 12, 25})
    for (const int others : {6, 12, 25, 37, 50, 63, 100})
      empty(), write_first(written, 1), read_first(others, 0, ", others than these");
  for (const int squares : {8, 10, 12, 14, 16, 24}) empty(), write_triangles_first(squares);
  for (const int megabytes : {12, 19, 25, 31, 38, 50, 75}) empty(), copy_first(megabytes);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
