// ENTRY: kernel
// CLASS: tail
// CAUSE: Behind the whole steps up to 127 pieces are left, and each lane copies one of them.
// SAYS: whole
// SAYS: loop|left
// NEVER: \brace\b|barrier|uninitiali|past the end
// HELD: no
// p25 embedding_gather: look up one row of a table for every token.
//
//   out[t] = table[ids[t]]          when 0 <= ids[t] < vocabulary
//   out[t] = 0, the whole row       for any other id: -1, vocabulary, INT_MIN, INT_MAX, ...
//
// Fill in the two blanks, then run:  grader p25
//
//   gather_row  one warp copies one row: read the id, judge it, then copy piece by piece, neighbouring pieces
//               with neighbouring lanes
//   launch      one warp per token; pieces of 16 bytes (float4) where every row starts on a multiple of
//               16 bytes, pieces of 4 bytes (float) where it does not
//
// The rows that the ids name lie anywhere, and nothing can be done about that. Inside a row everything can be
// done: a row is one run of bytes, and a warp that walks along it wastes nothing of what it asks for.

#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarp = 32;
constexpr int kWarpsPerBlock = 8;  // A warp copies a whole row.
constexpr int kThreads = kWarp * kWarpsPerBlock;

// ids: [tokens]; table: [vocabulary, pieces]; out: [tokens, pieces]. A Piece is a float or a float4.
template <typename Piece>
__global__ void __launch_bounds__(kThreads)
    gather_kernel(const int* __restrict__ ids, const Piece* __restrict__ table, Piece* __restrict__ out,
                  int tokens, [[maybe_unused]] int vocabulary, [[maybe_unused]] int pieces) {
  [[maybe_unused]] const int lane = threadIdx.x % kWarp;
  const long token = static_cast<long>(blockIdx.x) * kWarpsPerBlock + threadIdx.x / kWarp;
  if (token >= tokens) return;  // The last block may have warps to spare; they leave as whole warps.

  // FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token];
  const bool known = id >= 0 && id < vocabulary;
  const Piece* from = table + static_cast<long>(known ? id : 0) * pieces;
  Piece* to = out + token * pieces;
  const Piece zero{};
  // Whole steps first: four pieces of each lane under way at a time, and no bounds to look after.
  constexpr int kAtOnce = 4;
  const int whole = pieces / (kAtOnce * kWarp) * (kAtOnce * kWarp);
  for (int p = lane; p < whole; p += kAtOnce * kWarp) {
    Piece value[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) value[i] = known ? from[p + i * kWarp] : zero;
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) to[p + i * kWarp] = value[i];
  }
  // Then what is left of the row.
  if (whole + lane < pieces) to[whole + lane] = known ? from[whole + lane] : zero;
  // END: gather_row
}

// ids: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing to do.
void embedding_gather(const int* ids, const float* table, float* out, int tokens, int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 9 lines)
  const int blocks = (tokens + kWarpsPerBlock - 1) / kWarpsPerBlock;
  if (width % 4 == 0) {
    gather_kernel<float4><<<blocks, kThreads>>>(ids, reinterpret_cast<const float4*>(table),
                                                reinterpret_cast<float4*>(out), tokens, vocabulary, width / 4);
  } else {
    gather_kernel<float><<<blocks, kThreads>>>(ids, table, out, tokens, vocabulary, width);
  }
  // END: launch
}
