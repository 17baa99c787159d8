// ENTRY: kernel
// CLASS: index
// CAUSE: The loop stores ahead, which already holds piece + kWarp, instead of current, so each place gets the piece 32 further on.
// SAYS: ahead|next|prefetch|current
// SAYS: stor|writ|instead|in place of|wrong piece|kWarp|32
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
  const bool known = id >= 0 && id < vocabulary;  // judged before it is multiplied
  const Piece* source = table + (known ? static_cast<long>(id) * pieces : 0);
  Piece* target = out + token * pieces;
  if (!known) {
    for (int piece = lane; piece < pieces; piece += kWarp) target[piece] = Piece{};
    return;
  }
  // One piece ahead: the next load is under way while this piece is stored.
  Piece ahead = lane < pieces ? source[lane] : Piece{};
  for (int piece = lane; piece < pieces; piece += kWarp) {
    [[maybe_unused]] const Piece current = ahead;
    if (piece + kWarp < pieces) ahead = source[piece + kWarp];
    target[piece] = ahead;
  }
  // END: gather_row
}

// ids: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing to do.
void embedding_gather(const int* ids, const float* table, float* out, int tokens, int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 9 lines)
  const int blocks = (tokens - 1) / kWarpsPerBlock + 1;
  if (width % 4 == 0)
    gather_kernel<<<blocks, kThreads>>>(ids, reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out),
                                        tokens, vocabulary, width / 4);
  else
    gather_kernel<<<blocks, kThreads>>>(ids, table, out, tokens, vocabulary, width);
  // END: launch
}
