// ENTRY: kernel
// CLASS: over-budget
// CAUSE: All of out is set to zero by a launch of its own before the gather writes it again: one launch and one pass over out for nothing.
// SAYS: launch|\bout\b|zero|clear
// SAYS: \b2 (lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|((lanes?|warps?|threads?|columns?|times|sectors|outputs?|partial|floats?|launches|passes|blocks?|bytes|KiB|bits|tokens?|rows?|and on)|factor|block of|from|first|only|is|to|than|by|at most|limit) 2(?![.,]?\d)(?! of)|\btwo\b|twice|\bagain\b|extra|pass
// NEVER: uncoalesced|not coalesced|wrong (answer|result|value)
// HELD: yes
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
  const bool known = static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary);
  const Piece* source = table + (known ? static_cast<long>(id) * pieces : 0);
  Piece* target = out + token * pieces;
#pragma unroll 4
  for (int piece = lane; piece < pieces; piece += kWarp) {
    __stcs(target + piece, known ? source[piece] : Piece{});
  }
  // END: gather_row
}

__global__ void zero_kernel(float* out, long count) {
  for (long i = long(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += long(gridDim.x) * blockDim.x) out[i] = 0;
}

// ids: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing to do.
void embedding_gather(const int* ids, const float* table, float* out, int tokens, int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 9 lines)
  zero_kernel<<<64, 256>>>(out, long(tokens) * width);
  gather_kernel<<<(tokens - 1) / kWarpsPerBlock + 1, kThreads>>>(ids, table, out, tokens, vocabulary, width);
  // END: launch
}
