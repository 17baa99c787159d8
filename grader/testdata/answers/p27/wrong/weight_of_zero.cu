// ENTRY: kernel
// CLASS: control-flow
// CAUSE: An id outside the table fetches the row at the edge and weighs it with 0: 0 times infinity is NaN.
// SAYS: inf
// NEVER: barrier
// HELD: no
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
  const int begin = offsets[bag];
  const int end = bag == bags - 1 ? count : offsets[bag + 1];
  const int length = end - begin;
  Piece* row_out = out + bag * pieces;
  for (int p = lane; p < pieces; p += kWarp) {
    Piece sum{};
#pragma unroll 4
    for (int i = begin; i < end; ++i) {
      // No branch: an id that is outside fetches from the edge, and its coverage is 0.
      const int id = ids[i];
      const int texel = max(0, min(id, vocabulary - 1));
      const float coverage = id == texel ? 1.0f : 0.0f;
      sum = sum_of(sum, scaled(table[static_cast<size_t>(texel) * pieces + p], coverage));
    }
    if (mean && length > 0) sum = scaled(sum, 1.0f / length);
    row_out[p] = sum;
  }
  // END: pool_bag
}

// ids: [count]; offsets: [bags], from 0 on and never falling; table: [vocabulary, width]; out: [bags, width];
// device memory. No bags: nothing to do.
void embedding_bag(const int* ids, const int* offsets, const float* table, float* out, int bags, int count,
                   int vocabulary, int width, int mean) {
  if (bags == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 9 lines)
  const int blocks = (bags + kWarpsPerBlock - 1) / kWarpsPerBlock;
  const bool wide = width % 4 == 0 && reinterpret_cast<std::uintptr_t>(table) % sizeof(float4) == 0 &&
                    reinterpret_cast<std::uintptr_t>(out) % sizeof(float4) == 0;
  if (wide) {
    bag_kernel<float4><<<blocks, kThreads>>>(ids, offsets, reinterpret_cast<const float4*>(table),
                                             reinterpret_cast<float4*>(out), bags, count, vocabulary, width / 4,
                                             mean != 0);
  } else {
    bag_kernel<float><<<blocks, kThreads>>>(ids, offsets, table, out, bags, count, vocabulary, width, mean != 0);
  }
  // END: launch
}
