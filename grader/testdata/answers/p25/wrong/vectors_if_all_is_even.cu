// ENTRY: kernel
// CLASS: pointer
// CAUSE: float4s are used where all elements are a multiple of 4, and not each row
// SAYS: width % 4
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
  const unsigned id = static_cast<unsigned>(ids[token]);  // a negative one becomes a very large one
  Piece* to = out + token * pieces + lane;
  Piece* const end = out + (token + 1) * pieces;
  if (id < static_cast<unsigned>(vocabulary)) {
    const Piece* from = table + static_cast<size_t>(id) * pieces + lane;
    for (; to < end; to += kWarp, from += kWarp) *to = *from;
  } else {
    for (; to < end; to += kWarp) *to = Piece{};
  }
  // END: gather_row
}

// ids: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing to do.
void embedding_gather(const int* ids, const float* table, float* out, int tokens, int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 9 lines)
  const auto start = [&](const auto* rows, auto* to) {
    constexpr int kFloatsOfPiece = sizeof(*to) / sizeof(float);
    const unsigned blocks = (static_cast<unsigned>(tokens) + kWarpsPerBlock - 1) / kWarpsPerBlock;
    gather_kernel<<<blocks, kThreads>>>(ids, rows, to, tokens, vocabulary, width / kFloatsOfPiece);
  };
  const auto places = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out);
  const long floats = static_cast<long>(tokens) * width;  // that are to be written
  if (places % sizeof(float4) == 0 && floats % 4 == 0)
    start(reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out));
  else
    start(table, out);
  // END: launch
}
