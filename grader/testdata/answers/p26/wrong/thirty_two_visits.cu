// ENTRY: kernel
// CLASS: tail
// CAUSE: lanes behind the last token are visited too, and write to the first one
// SAYS: first \+ visit < tokens
// p26 embedding_sorted: look up one row of a table for every token, in the order of the ids.
//
//   out[order[i]] = table[ids[i]]          when 0 <= ids[i] < vocabulary
//   out[order[i]] = 0, the whole row       for any other id
//
// The ids have been sorted, and each has taken its token along: ids[0] <= ids[1] <= ..., and order[i] is the
// token that ids[i] belongs to. Tokens of one id are neighbours now.
//
// Fill in the two blanks, then run:  grader p26
//
//   walk     a warp walks over kRun neighbours: it reads a row when the id is another one than before, keeps
//            it in registers, and writes it for every token that wants it
//
//   launch   a warp for each run of kRun and each slice of the row that 32 lanes hold; pieces of 16 bytes
//            (float4) where all rows start on multiples of 16 bytes, else of 4 bytes (float)
//
// p25 reads a row for every token. Predict: how many rows will this kernel ask for?

#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarp = 32;
constexpr int kRun = 32;  // Tokens that a warp visits: it reads the ids of all of them at once, one a lane.
constexpr int kWarpsPerBlock = 8;
constexpr int kThreads = kWarp * kWarpsPerBlock;
constexpr unsigned kAllLanes = 0xffffffffu;

// ids, order: [tokens]; table: [vocabulary, pieces]; out: [tokens, pieces]. A Piece is a float or a float4.
// Of each row the blocks with blockIdx.y = s copy pieces 32 s to 32 s + 31, one a lane.
template <typename Piece>
__global__ void __launch_bounds__(kThreads)
    sorted_kernel(const int* __restrict__ ids, const int* __restrict__ order, const Piece* __restrict__ table,
                  Piece* __restrict__ out, int tokens, [[maybe_unused]] int vocabulary,
                  [[maybe_unused]] int pieces) {
  const int lane = threadIdx.x % kWarp;
  [[maybe_unused]] const int piece = static_cast<int>(blockIdx.y) * kWarp + lane;
  const long first = (static_cast<long>(blockIdx.x) * kWarpsPerBlock + threadIdx.x / kWarp) * kRun;
  if (first >= tokens) return;  // The last block may have warps to spare; they leave as whole warps.

  // FILL ME IN: walk (roughly 16 lines)
  const long at = first + lane;
  int my_id = -1, my_token = 0;
  if (at < tokens) my_id = ids[at], my_token = order[at];
  const bool has_piece = piece < pieces;
  Piece value{};
  int last_id = 0;
#pragma unroll 4
  for (int visit = 0; visit < kRun; ++visit) {
    const int id = __shfl_sync(kAllLanes, my_id, visit);
    const int token = __shfl_sync(kAllLanes, my_token, visit);
    if (visit == 0 || id != last_id) {
      const bool known = static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary);
      value = Piece{};
      if (has_piece && known) value = table[static_cast<size_t>(id) * pieces + piece];
      last_id = id;
    }
    if (has_piece) out[static_cast<size_t>(token) * pieces + piece] = value;
  }
  // END: walk
}

// ids, order: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing
// to do.
void embedding_sorted(const int* ids, const int* order, const float* table, float* out, int tokens,
                      int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 10 lines)
  constexpr int kTokensPerBlock = kRun * kWarpsPerBlock;
  const unsigned blocks = (tokens - 1) / kTokensPerBlock + 1;
  const std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out);
  if ((width & 3) == 0 && (bits & 15) == 0) {
    const int quads = width / 4;
    const unsigned slices = (quads + kWarp - 1) / kWarp;
    sorted_kernel<float4><<<dim3(blocks, slices), kThreads>>>(ids, order, reinterpret_cast<const float4*>(table),
                                                              reinterpret_cast<float4*>(out), tokens, vocabulary,
                                                              quads);
  } else {
    const unsigned slices = (width + kWarp - 1) / kWarp;
    sorted_kernel<float><<<dim3(blocks, slices), kThreads>>>(ids, order, table, out, tokens, vocabulary, width);
  }
  // END: launch
}
