// How much L2 keeps: of what is read, when it is read again; and of what is written, before it has to go to
// DRAM. DRAM's own counters say it, in the order of the lines that this prints:
//   nvcc -std=c++20 -O3 -arch=native -o l2_keeps l2_keeps.cu && ncu --cache-control none --clock-control none
//     --metrics dram__bytes_read.sum,dram__bytes_write.sum ./l2_keeps

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr std::size_t kMegabyte = 1 << 20, kBuffer = 512 * kMegabyte;
constexpr int kBlocks = 4096, kThreads = 128, kRowThreads = 256;

// `by` blocks side by side have the same part of the first `bytes`, in every launch.
__global__ void read(const float4* __restrict__ from, float4* unused, std::size_t bytes, int by) {
  const std::size_t each = bytes / sizeof(float4) / kBlocks;
  float4 sum = {1, 1, 1, 1};
  for (std::size_t i = threadIdx.x; i < each; i += kThreads) {
    const float4 value = from[blockIdx.x / by * each + i];
    sum.x += value.x, sum.y += value.y;
  }
  if (sum.x == -1) *unused = sum;  // which is never so
}

__global__ void write(float4* to, std::size_t bytes) {
  const std::size_t each = bytes / sizeof(float4) / kBlocks;
  for (std::size_t i = threadIdx.x; i < each; i += kThreads) to[blockIdx.x * each + i] = {1, 1, 1, 1};
}

// The first 64 of each 256 bytes: half of a line.
__global__ void write_half_lines(float4* to, std::size_t bytes) {
  const std::size_t i = std::size_t{blockIdx.x} * kRowThreads + threadIdx.x;
  if (i < bytes / sizeof(float4)) to[i / 4 * 16 + i % 4] = {1, 1, 1, 1};
}

// Of each row of 1024 floats one more than of the row before, in squares of 1024 rows.
__global__ void write_triangles(float* to) {
  const std::size_t row = blockIdx.x;
  for (std::size_t column = threadIdx.x; column <= row % 1024; column += kRowThreads)
    to[row * 1024 + column] = 1;
}

// A block reads its row, reads it again, and writes as much.
__global__ void rewrite_rows(const float* __restrict__ from, float* to, int columns) {
  const std::size_t row = std::size_t{blockIdx.x} * columns;
  float sum = 0;
  for (int column = threadIdx.x; column < columns; column += kRowThreads) sum += from[row + column];
  for (int column = threadIdx.x; column < columns; column += kRowThreads)
    to[row + column] = sum + from[row + column];
}

// A block reads 16 KB here and there of what all read, and writes 2 KB of its own.
__global__ void write_beside(const float4* __restrict__ common, float* to, float4* unused, int megabytes) {
  const std::size_t pieces = megabytes * kMegabyte / 2048;
  float4 sum = {1, 1, 1, 1};
  for (std::size_t p = 0; p < 8; ++p) {
    const float4 value = common[(blockIdx.x * 977ull + p * 331) % pieces * kThreads + threadIdx.x];
    sum.x += value.x, sum.y += value.y;
  }
  if (sum.x == -1) *unused = sum;
  for (std::size_t i = threadIdx.x; i < 512; i += kThreads) to[std::size_t{blockIdx.x} * 512 + i] = 1;
}

int launches = 0;
float4* buffers[3];

void read_first(int megabytes, int buffer, const char* says, int by = 1) {
  std::printf("launch %d: %d MB are read%s%s\n", launches++, megabytes, by > 1 ? " by several SMs" : "",
              says);
  read<<<kBlocks * by, kThreads>>>(buffers[buffer], buffers[(buffer + 1) % 3], megabytes * kMegabyte, by);
}
void write_beside_first(int written, int megabytes) {
  std::printf("launch %d: %d MB are written beside %d MB that all SMs read\n", launches++, written,
              megabytes);
  write_beside<<<static_cast<unsigned>(written * kMegabyte / 2048), kThreads>>>(
      buffers[0], reinterpret_cast<float*>(buffers[1]), buffers[2], megabytes);
}
void write_first(int megabytes, int buffer) {
  std::printf("launch %d: %d MB are written\n", launches++, megabytes);
  write<<<kBlocks, kThreads>>>(buffers[buffer], megabytes * kMegabyte);
}
void write_half_lines_first(int megabytes) {
  std::printf("launch %d: %d MB are written, half of each second line\n", launches++, megabytes);
  const auto blocks = static_cast<unsigned>(megabytes * kMegabyte / sizeof(float4) / kRowThreads);
  write_half_lines<<<blocks, kRowThreads>>>(buffers[1], megabytes * kMegabyte);
}
void write_triangles_first(int squares) {
  std::printf("launch %d: %.1f MB are written as %d triangles\n", launches++, squares * 1024 * 1025 * 2e-6,
              squares);
  write_triangles<<<squares * 1024, kRowThreads>>>(reinterpret_cast<float*>(buffers[1]));
}
void rewrite_rows_first(int megabytes) {
  constexpr int kColumns = 768;
  const auto rows = static_cast<unsigned>(megabytes * kMegabyte / sizeof(float) / kColumns);
  std::printf("launch %d: %d MB of rows are read, read again and written elsewhere\n", launches++, megabytes);
  rewrite_rows<<<rows, kRowThreads>>>(reinterpret_cast<float*>(buffers[0]),
                                      reinterpret_cast<float*>(buffers[1]), kColumns);
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
  for (const int megabytes : {12, 19, 25, 28, 31, 34, 38, 41})
    empty(), read_first(megabytes, 0, "", 8), read_first(megabytes, 0, " again", 8);
  for (const int written : {12, 24})
    for (const int common : {6, 12, 18, 25}) empty(), write_beside_first(written, common);
  for (const int written : {6, 12, 25})
    for (const int others : {6, 12, 25, 37, 50, 63, 100})
      empty(), write_first(written, 1), read_first(others, 0, ", others than these");
  for (const int megabytes : {10, 15, 20}) empty(), write_half_lines_first(megabytes);
  for (const int squares : {8, 10, 12, 14, 16, 24}) empty(), write_triangles_first(squares);
  for (const int megabytes : {12, 19, 25, 31, 38, 50, 75}) empty(), rewrite_rows_first(megabytes);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
