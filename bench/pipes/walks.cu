// Lanes that write, or copy, rows of their own, 4, 8 or 16 bytes at a time: what lines cost of which each
// request has a part, on all SMs and on 21 of them, in memory that L2 holds and in more of it. Counters say
// the rest, in the order of the lines that this prints:
//   nvcc -std=c++20 -O3 -arch=native -o walks walks.cu && ncu --cache-control all --clock-control none
//     --metrics gpu__time_duration.sum,lts__t_sectors_op_write.sum,dram__bytes_read.sum,dram__bytes_write.sum
//     ./walks

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr std::size_t kMegabyte = 1 << 20;
constexpr int kThreads = 256;

template <class T>
__global__ void fill(T* to, int columns, std::size_t rows) {
  const std::size_t row = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (row >= rows) return;
#pragma unroll 4
  for (int c = 0; c < columns; ++c) to[row * columns + c] = T{1};
}

template <class T>
__global__ void copy(const T* __restrict__ from, T* __restrict__ to, int columns, std::size_t rows) {
  const std::size_t row = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (row >= rows) return;
#pragma unroll 4
  for (int c = 0; c < columns; ++c) to[row * columns + c] = from[row * columns + c];
}

template <class T>
void walk(const void* from, void* to) {
  static int launches = 0;
  for (const std::size_t bytes : {32, 128, 512, 3072})
    for (const std::size_t megabytes : {128, 16}) {
      const std::size_t rows = megabytes * kMegabyte / bytes;
      const auto blocks = static_cast<unsigned>((rows + kThreads - 1) / kThreads);
      const auto columns = static_cast<int>(bytes / sizeof(T));
      std::printf("%2zu bytes a lane, launches %d and %d: %zu rows of %zu bytes are written, and copied\n",
                  sizeof(T), launches, launches + 1, rows, bytes);
      launches += 2;
      fill<<<blocks, kThreads>>>(static_cast<T*>(to), columns, rows);
      copy<<<blocks, kThreads>>>(static_cast<const T*>(from), static_cast<T*>(to), columns, rows);
    }
}

}  // namespace

int main() {
  void *from = nullptr, *to = nullptr;
  cudaMalloc(&from, 128 * kMegabyte);
  cudaMalloc(&to, 128 * kMegabyte);
  cudaMemset(from, 0, 128 * kMegabyte);
  walk<float>(from, to);
  walk<float2>(from, to);
  walk<float4>(from, to);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
