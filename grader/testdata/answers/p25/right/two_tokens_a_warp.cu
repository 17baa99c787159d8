// STYLE: A warp has two tokens, half of the list apart, and both rows under way.
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
  const long half = (static_cast<long>(tokens) + 1) / 2;
  if (token >= half) return;
  const long other = token + half;
  const bool has_other = other < tokens;
  const auto judged = [vocabulary](int id) { return static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary); };
  const int id_a = ids[token], id_b = has_other ? ids[other] : -1;
  const bool known_a = judged(id_a), known_b = judged(id_b);
  const Piece* from_a = table + (known_a ? static_cast<long>(id_a) * pieces : 0L);
  const Piece* from_b = table + (known_b ? static_cast<long>(id_b) * pieces : 0L);
  for (int p = lane; p < pieces; p += kWarp) {
    Piece a{}, b{};
    if (known_a) a = from_a[p];
    if (known_b) b = from_b[p];
    out[token * pieces + p] = a;
    if (has_other) out[other * pieces + p] = b;
  }
  // END: gather_row
}

// ids: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing to do.
void embedding_gather(const int* ids, const float* table, float* out, int tokens, int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 9 lines)
  const auto bases = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out);
  const int blocks = ((tokens + 1) / 2 + kWarpsPerBlock - 1) / kWarpsPerBlock;
  if (width % 4 == 0 && bases % sizeof(float4) == 0)
    gather_kernel<float4><<<blocks, kThreads>>>(ids, reinterpret_cast<const float4*>(table),
                                                reinterpret_cast<float4*>(out), tokens, vocabulary, width / 4);
  else
    gather_kernel<float><<<blocks, kThreads>>>(ids, table, out, tokens, vocabulary, width);
  // END: launch
}
