// Blocks that each read rows of their own twice: how much of a row is still in L1 when its block comes back,
// by how many KiB the resident blocks of an SM have begun, and how many blocks those are. Counters say so, in
// the order of the lines that this prints: of the sectors that a launch asks for half are of the second time.
//   nvcc -std=c++20 -O3 -arch=native -o l1_keeps l1_keeps.cu && ncu --cache-control all --clock-control none
//     --metrics l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum
//     ./l1_keeps

#include <cuda_runtime.h>

#include <cstdio>

namespace {

__global__ void read_twice(const float* __restrict__ rows, float* out, int columns) {
  const float* row = rows + std::size_t{blockIdx.x} * static_cast<std::size_t>(columns);
  float largest = -1.0f, sum = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < columns; i += static_cast<int>(blockDim.x))
    largest = fmaxf(largest, row[i]);
  const float shift = __syncthreads_or(largest > 0.0f) != 0 ? largest : 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < columns; i += static_cast<int>(blockDim.x))
    sum += row[i] - shift;
  if (sum == 1.0f) out[blockIdx.x] = sum;  // never, and the compiler does not know
}

}  // namespace

int main() {
  constexpr std::size_t kBuffer = std::size_t{512} << 20;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  float *rows = nullptr, *out = nullptr;
  cudaMalloc(&rows, kBuffer);
  cudaMalloc(&out, 1 << 20);
  cudaMemset(rows, 0, kBuffer);
  int launches = 0;
  for (const int of_sm : {2, 4, 8})
    for (const int begun : {96, 144, 176, 208, 240, 272, 320, 400, 512}) {
      const int columns = begun * 256 / of_sm, threads = 2048 / of_sm;
      std::printf("launch %d: %d blocks an SM, %d KiB begun at a time\n", launches++, of_sm, begun);
      read_twice<<<static_cast<unsigned>(4 * of_sm * sms), threads>>>(rows, out, columns);
    }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
