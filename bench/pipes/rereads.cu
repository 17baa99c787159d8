// Blocks that each read rows of their own twice: how much of a row is still in L2 when its block comes back,
// by how many bytes all resident blocks have begun, and how many blocks those are. Shared memory leaves L1
// next to nothing. Counters say the rest, in the order of the lines that this prints:
//   nvcc -std=c++20 -O3 -arch=native -o rereads rereads.cu && ncu --cache-control all --clock-control none
//     --metrics gpu__time_duration.sum,dram__bytes_read.sum ./rereads

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr std::size_t kMegabyte = 1 << 20;
constexpr std::size_t kBuffer = 512 * kMegabyte;
constexpr int kSharedOfSm = 200 << 10;
extern __shared__ float unused[];

__global__ void read_twice(const float4* __restrict__ rows, float* out, int pieces) {
  const float4* row = rows + std::size_t{blockIdx.x} * static_cast<std::size_t>(pieces);
  float largest = -1.0f, sum = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < pieces; i += static_cast<int>(blockDim.x)) {
    const float4 piece = row[i];
    largest = fmaxf(largest, fmaxf(fmaxf(piece.x, piece.y), fmaxf(piece.z, piece.w)));
  }
  const float shift = __syncthreads_or(largest > 0.0f) != 0 ? largest : 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < pieces; i += static_cast<int>(blockDim.x)) {
    const float4 piece = row[i];
    sum += (piece.x - shift) + (piece.y - shift) + (piece.z - shift) + (piece.w - shift);
  }
  if (sum == 1.0f) out[blockIdx.x] = sum;  // never, and the compiler does not know
}

}  // namespace

int main() {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  float4* rows = nullptr;
  float* out = nullptr;
  cudaMalloc(&rows, kBuffer);
  cudaMalloc(&out, kMegabyte);
  cudaMemset(rows, 0, kBuffer);
  cudaFuncSetAttribute(read_twice, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedOfSm);
  int launches = 0;
  for (const int of_sm : {1, 2, 8})
    for (const std::size_t begun : {20, 26, 32, 38, 44, 50, 56, 64, 80}) {
      const auto resident = static_cast<std::size_t>(of_sm) * static_cast<std::size_t>(sms);
      const auto pieces = static_cast<int>(begun * kMegabyte / resident / sizeof(float4));
      const auto blocks = static_cast<unsigned>(4 * resident);
      const double megabytes = static_cast<double>(blocks) * pieces * sizeof(float4) / 1e6;
      std::printf("launch %d: %d blocks an SM, %zu MiB begun at a time, %.1f MB once\n", launches++, of_sm,
                  begun, megabytes);
      read_twice<<<blocks, of_sm == 8 ? 256 : 1024, kSharedOfSm / of_sm>>>(rows, out, pieces);
    }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
