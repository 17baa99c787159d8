// ENTRY: kernel
// CLASS: index
// CAUSE: the last member of a float4 is that before it
// SAYS: sum.w
// p27 embedding_bag: look up a row of the table for every id and add up, or average, the rows of each bag.
//
//   bag b holds ids[i] for i from offsets[b] up to, not including, offsets[b + 1]; the last one up to count
//   out[b] = the sum of table[ids[i]] over its bag             when mean is 0
//   out[b] = the same, divided by how many ids the bag has     when mean is 1
//
// An id outside 0 ... vocabulary - 1 stands for a row of zeros, as in p25; it counts among its bag's ids. A
// bag may be empty, and gives a row of zeros.
//
// Fill in the two blanks, then run:  grader p27
//
//   pool_bag   one warp makes one row of out: the rows of its bag are added up in registers, piece by piece
//   launch     one warp per bag; pieces of 16 bytes (float4) where all rows start on multiples of 16 bytes,
//              else of 4 bytes (float)
//
// The rows that are looked up are never stored: what leaves the kernel is one row for each bag.

#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarp = 32;
constexpr int kWarpsPerBlock = 8;  // A warp makes a whole row of out.
constexpr int kThreads = kWarp * kWarpsPerBlock;

// Given, for both kinds of pieces.
__device__ float sum_of(float a, float b) { return a + b; }
__device__ float4 sum_of(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
__device__ float scaled(float a, float by) { return a * by; }
__device__ float4 scaled(float4 a, float by) { return {a.x * by, a.y * by, a.z * by, a.w * by}; }

// ids: [count]; offsets: [bags]; table: [vocabulary, pieces]; out: [bags, pieces]. A Piece is a float or a
// float4.
template <typename Piece>
__global__ void __launch_bounds__(kThreads)
    bag_kernel(const int* __restrict__ ids, const int* __restrict__ offsets, const Piece* __restrict__ table,
               Piece* __restrict__ out, int bags, [[maybe_unused]] int count, [[maybe_unused]] int vocabulary,
               [[maybe_unused]] int pieces, [[maybe_unused]] bool mean) {
  [[maybe_unused]] const int lane = threadIdx.x % kWarp;
  const long bag = static_cast<long>(blockIdx.x) * kWarpsPerBlock + threadIdx.x / kWarp;
  if (bag >= bags) return;  // The last block may have warps to spare; they leave as whole warps.

  // FILL ME IN: pool_bag (roughly 15 lines)
  // Each half of the warp takes every other id of the bag; both halves have the same pieces.
  constexpr int kHalf = kWarp / 2;
  const int half = lane / kHalf;
  const int begin = offsets[bag];
  const int end = bag == bags - 1 ? count : offsets[bag + 1];
  const float by = mean && end > begin ? 1.0f / (end - begin) : 1.0f;
  const auto other = [](float mine) { return __shfl_xor_sync(0xffffffffu, mine, kHalf); };
  for (int start = 0; start < pieces; start += kHalf) {
    const int piece = start + lane % kHalf;
    Piece sum{};
    if (piece < pieces) {
#pragma unroll 4
      for (int i = begin + half; i < end; i += 2) {
        const int id = ids[i];
        if (id >= 0 && id < vocabulary)
          sum = sum_of(sum, table[static_cast<long>(id) * pieces + piece]);
      }
    }
    if constexpr (sizeof(Piece) == sizeof(float)) {
      sum = sum_of(sum, other(sum));
    } else {
      sum = sum_of(sum, Piece{other(sum.x), other(sum.y), other(sum.z), other(sum.z)});
    }
    if (half == 0 && piece < pieces) out[bag * pieces + piece] = scaled(sum, by);
  }
  // END: pool_bag
}

// ids: [count]; offsets: [bags], from 0 on and never falling; table: [vocabulary, width]; out: [bags, width];
// device memory. No bags: nothing to do.
void embedding_bag(const int* ids, const int* offsets, const float* table, float* out, int bags, int count,
                   int vocabulary, int width, int mean) {
  if (bags == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 9 lines)
  const dim3 grid((bags + kWarpsPerBlock - 1) / kWarpsPerBlock), block(kThreads);
  const bool average = mean != 0;
  if (width % 4 != 0) {
    bag_kernel<<<grid, block>>>(ids, offsets, table, out, bags, count, vocabulary, width, average);
    return;
  }
  const float4* wide_table = reinterpret_cast<const float4*>(table);
  float4* wide_out = reinterpret_cast<float4*>(out);
  bag_kernel<<<grid, block>>>(ids, offsets, wide_table, wide_out, bags, count, vocabulary, width / 4, average);
  // END: launch
}
