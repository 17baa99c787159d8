// Rows that are gathered, and scattered, in an order that is drawn: what rows of 32 to 2048 bytes at places
// that do not follow one another cost, by how many loads of a thread are under way. Before them, from memory
// that L2 holds: what requests cost that take one, two or four sectors of each line that they touch. Counters
// say the rest, in the order of the lines that this prints:
//   nvcc -std=c++20 -O3 -arch=native -o gathers gathers.cu && ncu --cache-control none --clock-control none
//     --metrics gpu__time_duration.sum,lts__t_sectors_op_read.sum,dram__bytes_read.sum,dram__bytes_write.sum
//     ./gathers

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr std::size_t kMegabyte = 1 << 20;
constexpr int kThreads = 256;

/// from: a table of rows of `pieces`; ids: [rows]; to: [rows, pieces]. A thread moves kAtOnce pieces that the
/// whole grid stands apart.
template <int kAtOnce, class T>
__global__ void gather(const T* __restrict__ from, const int* __restrict__ ids, T* __restrict__ to,
                       int pieces, int all) {
  const int step = static_cast<int>(gridDim.x) * kThreads;
  const int first = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  T piece[kAtOnce];
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k) {
    const int i = first + k * step;
    if (i < all) piece[k] = from[std::size_t{1} * ids[i / pieces] * pieces + i % pieces];
  }
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k)
    if (first + k * step < all) to[first + k * step] = piece[k];
}

/// from: [rows, pieces]; to: a table of rows.
template <class T>
__global__ void scatter(const T* __restrict__ from, const int* __restrict__ ids, T* __restrict__ to,
                        int pieces, int all) {
  const int i = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (i < all) to[std::size_t{1} * ids[i / pieces] * pieces + i % pieces] = from[i];
}

/// Lanes that load 4 bytes from sectors `apart` bytes from one another, which L1 does not keep (volatile): of
/// the `bytes` at `from`, kLooks times by each thread.
constexpr int kLooks = 64;
__global__ void look(const char* from, float* to, unsigned apart, unsigned bytes) {
  const unsigned thread = blockIdx.x * kThreads + threadIdx.x;
  // Warps begin 4 KiB apart, and go on by somewhat more than a MiB.
  unsigned place = (thread / 32 * 4096 + thread % 32 * apart) % bytes;
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < kLooks; ++k) {
    sum += *reinterpret_cast<const volatile float*>(from + place);
    place = (place + kMegabyte + 8192) % bytes;
  }
  if (sum != 0) to[thread] = sum;
}

/// `rows` numbers of rows, of a table of `of_table`: each `step`th of them, or drawn (0), each once.
int* ids_of(std::size_t of_table, std::size_t rows, std::size_t step) {
  std::vector<int> ids(of_table);
  std::iota(ids.begin(), ids.end(), 0);
  if (step == 0) std::shuffle(ids.begin(), ids.end(), std::mt19937(1));
  for (std::size_t row = 0; step > 1 && row < rows; ++row) ids[row] = static_cast<int>(row * step);
  int* on_gpu = nullptr;
  cudaMalloc(&on_gpu, rows * sizeof(int));
  cudaMemcpy(on_gpu, ids.data(), rows * sizeof(int), cudaMemcpyHostToDevice);
  return on_gpu;
}

constexpr std::size_t kTable = 512 * kMegabyte, kMoved = 64 * kMegabyte;
int launches = 0;

void look_again(const char* from, float* to) {
  for (const unsigned megabytes : {4u, 16u, 24u, 32u})
    for (const unsigned apart : {4u, 32u, 64u, 128u})
      for (const unsigned blocks : {132u * 8, 132u}) {
        std::printf(
            "%3u bytes apart, %4u blocks, launches %d and %d: of %u MiB, which L2 has the second time\n",
            apart, blocks, launches, launches + 1, megabytes);
        launches += 2;
        for (int time = 0; time < 2; ++time)
          look<<<blocks, kThreads>>>(from, to, apart, static_cast<unsigned>(megabytes * kMegabyte));
      }
}

/// Rows of `bytes`, in pieces of T.
template <class T>
void move_rows(T* table, T* rows_of_it, std::size_t bytes, std::size_t step, std::size_t moved) {
  const std::size_t rows = moved / bytes;
  int* ids = ids_of(kTable / bytes, rows, step);
  const int pieces = static_cast<int>(bytes / sizeof(T)), all = static_cast<int>(moved / sizeof(T));
  const unsigned blocks = all / kThreads;
  std::printf("%zu rows of %zu bytes by %zu a lane, ", rows, bytes, sizeof(T));
  if (step == 0)
    std::printf("drawn");
  else
    std::printf("each of %zu", step);
  std::printf(", launches %d to %d: gathered one, two, four at a time; scattered\n", launches, launches + 3);
  launches += 4;
  gather<1><<<blocks, kThreads>>>(table, ids, rows_of_it, pieces, all);
  gather<2><<<blocks / 2, kThreads>>>(table, ids, rows_of_it, pieces, all);
  gather<4><<<blocks / 4, kThreads>>>(table, ids, rows_of_it, pieces, all);
  scatter<<<blocks, kThreads>>>(rows_of_it, ids, table, pieces, all);
  cudaDeviceSynchronize();
  cudaFree(ids);
}

}  // namespace

int main() {
  float4 *table = nullptr, *rows_of_it = nullptr;
  cudaMalloc(&table, kTable);
  cudaMalloc(&rows_of_it, kMoved);
  cudaMemset(table, 0, kTable);
  look_again(reinterpret_cast<const char*>(table), reinterpret_cast<float*>(rows_of_it));
  for (const std::size_t step : {1, 2, 4}) move_rows(table, rows_of_it, 32, step, kMoved);
  for (const std::size_t step : {2, 4}) move_rows(table, rows_of_it, 64, step, kMoved);
  move_rows(table, rows_of_it, 128, 2, kMoved);
  for (const std::size_t bytes : {32, 64, 128, 256, 512, 2048})
    move_rows(table, rows_of_it, bytes, 0, kMoved);
  for (const std::size_t step : {0, 1, 8, 16, 32}) {
    auto* floats = reinterpret_cast<float*>(table);
    move_rows(floats, reinterpret_cast<float*>(rows_of_it), 4, step, kMoved / 8);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
