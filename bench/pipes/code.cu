// What it costs to run code for the first time, and code that is larger than the caches of instructions:
// cycles for each of a warp's instructions (16 bytes each), by how many there are in a row, how many warps of
// an SM run them, and where they lie: in the SM (run before), in L2 (behind a kernel of other code) or in
// DRAM (behind a memset of 256 MB as well). Four sums that do not need one another, so that a warp could
// issue one every cycle.
//   nvcc -std=c++20 -O3 -arch=native -o code code.cu && ./code

#include <cuda_runtime.h>

#include <cstdio>

namespace {

constexpr int kAtOnce = 16, kRounds = 8;

struct Sums {
  float a, b, c, d;
};

/// `kMany` instructions in a row.
template <int kMany>
__device__ __forceinline__ void in_a_row(Sums& sums, float factor) {
#pragma unroll
  for (int i = 0; i < kMany / kAtOnce; ++i)
    asm volatile(
        "fma.rn.f32 %0, %0, %4, %4; fma.rn.f32 %1, %1, %4, %4; fma.rn.f32 %2, %2, %4, %4; fma.rn.f32 %3, %3, %4, %4;"
        "fma.rn.f32 %0, %0, %4, %4; fma.rn.f32 %1, %1, %4, %4; fma.rn.f32 %2, %2, %4, %4; fma.rn.f32 %3, %3, %4, %4;"
        "fma.rn.f32 %0, %0, %4, %4; fma.rn.f32 %1, %1, %4, %4; fma.rn.f32 %2, %2, %4, %4; fma.rn.f32 %3, %3, %4, %4;"
        "fma.rn.f32 %0, %0, %4, %4; fma.rn.f32 %1, %1, %4, %4; fma.rn.f32 %2, %2, %4, %4; fma.rn.f32 %3, %3, %4, %4;"
        : "+f"(sums.a), "+f"(sums.b), "+f"(sums.c), "+f"(sums.d)
        : "f"(factor));
}

/// These `rounds` times. cycles: of each block.
template <int kMany>
__global__ void run(long long* cycles, float* out, float factor, int rounds) {
  Sums sums = {factor, 2 * factor, 3 * factor, 4 * factor};
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) in_a_row<kMany>(sums, factor);
  const long long end = clock64();
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
  if (sums.a + sums.b + sums.c + sums.d == 1) *out = sums.a;
}

/// Other code of 512 KB, so that none of what was run before is left in an SM.
__global__ void other(float* out, float factor) {
  Sums sums = {factor, 2 * factor, 3 * factor, 4 * factor};
  in_a_row<32768>(sums, factor);
  if (sums.a + sums.b + sums.c + sums.d == 1) *out = sums.a;
}

enum class Lies { in_sm, in_l2, in_dram };

struct Board {
  int sms = 0;
  long long* cycles = nullptr;
  float* out = nullptr;
  char* much = nullptr;
};
constexpr std::size_t kMuch = std::size_t{256} << 20;

/// Cycles of the slowest SM for all rounds.
template <int kMany>
double measure(const Board& board, int warps, int rounds, Lies lies) {
  double least = 1e30;
  for (int n = 0; n < 4; ++n) {
    if (lies == Lies::in_sm) run<kMany><<<board.sms, 32 * warps>>>(board.cycles, board.out, 0.5f, rounds);
    if (lies != Lies::in_sm) other<<<board.sms, 32>>>(board.out, 0.5f);
    if (lies == Lies::in_dram) cudaMemset(board.much, n, kMuch);
    run<kMany><<<board.sms, 32 * warps>>>(board.cycles, board.out, 0.5f, rounds);
    cudaDeviceSynchronize();
    long long most = 0;
    for (int i = 0; i < board.sms; ++i) most = board.cycles[i] > most ? board.cycles[i] : most;
    if (static_cast<double>(most) < least) least = static_cast<double>(most);
  }
  return least;
}

template <int kMany>
void row(const Board& board) {
  std::printf("%8d", kMany);
  for (const Lies lies : {Lies::in_sm, Lies::in_l2, Lies::in_dram})
    for (const int warps : {1, 4, 16}) std::printf(" %8.2f", measure<kMany>(board, warps, 1, lies) / kMany);
  for (const int warps : {1, 4, 16})
    std::printf(" %8.2f", (measure<kMany>(board, warps, kRounds + 1, Lies::in_sm) -
                           measure<kMany>(board, warps, 1, Lies::in_sm)) /
                              kRounds / kMany);
  std::printf("\n");
}

}  // namespace

int main() {
  Board board;
  cudaDeviceGetAttribute(&board.sms, cudaDevAttrMultiProcessorCount, 0);
  cudaMallocManaged(&board.cycles, static_cast<std::size_t>(board.sms) * sizeof(long long));
  cudaMalloc(&board.out, sizeof(float));
  cudaMalloc(&board.much, kMuch);
  std::printf(
      "cycles an instruction of the slowest warp 0\n  warps  in the SM: 1, 4, 16 | in L2 | in DRAM | each further round\n");
  row<64>(board);
  row<256>(board);
  row<512>(board);
  row<1024>(board);
  row<2048>(board);
  row<4096>(board);
  row<8192>(board);
  row<16384>(board);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
