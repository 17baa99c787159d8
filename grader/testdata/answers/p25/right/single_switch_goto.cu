// STYLE: goto, a struct of arguments, unsigned comparison, 64 threads a block
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarp = 32;
constexpr int kWarpsPerBlock = 2;  // A warp copies a whole row.
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
  struct { unsigned id, vocabulary; } const look = {unsigned(ids[token]), unsigned(vocabulary)};
  int piece = lane;
  Piece* const target = out + token * pieces;
  if (look.id >= look.vocabulary) goto zeros;
copy:
  if (piece < pieces) {
    target[piece] = table[size_t(look.id) * pieces + piece];
    piece += kWarp;
    goto copy;
  }
  return;
zeros:
  if (piece >= pieces) return;
  target[piece] = Piece{};
  piece += kWarp;
  goto zeros;
  // END: gather_row
}

// ids: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing to do.
void embedding_gather(const int* ids, const float* table, float* out, int tokens, int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 9 lines)
  const int blocks = (tokens - 1) / kWarpsPerBlock + 1;
  const auto bases = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out);
  if (width % 4 == 0 && bases % sizeof(float4) == 0) {
    gather_kernel<<<blocks, kThreads>>>(ids, reinterpret_cast<const float4*>(table),
                                        reinterpret_cast<float4*>(out), tokens, vocabulary, width / 4);
  } else {
    gather_kernel<<<blocks, kThreads>>>(ids, table, out, tokens, vocabulary, width);
  }
  // END: launch
}
