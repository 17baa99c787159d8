// STYLE: cooperative groups, a ballot of the lanes at which another id begins
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

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

namespace cg = cooperative_groups;

constexpr int kWarp = 32;
constexpr int kRun = 32;  // Tokens that a warp visits: it reads the ids of all of them at once, one a lane.
constexpr int kWarpsPerBlock = 8;
constexpr int kThreads = kWarp * kWarpsPerBlock;

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
  const auto warp = cg::tiled_partition<kWarp>(cg::this_thread_block());
  const int visits = tokens - first < kRun ? static_cast<int>(tokens - first) : kRun;
  const bool has_piece = piece < pieces;
  int id = -1, token = -1;
  if (lane < visits) {
    id = ids[first + lane];
    token = order[first + lane];
  }
  const int previous = warp.shfl_up(id, 1);
  const unsigned starts = warp.ballot(lane < visits && (lane == 0 || id != previous));
  const auto fetch = [&](int of) {
    return has_piece && of >= 0 && of < vocabulary ? table[static_cast<size_t>(of) * pieces + piece] : Piece{};
  };
  for (unsigned left = starts; left != 0; left &= left - 1) {
    const int begin = __ffs(left) - 1;
    const unsigned later = left & (left - 1);
    const int end = later != 0 ? __ffs(later) - 1 : visits;
    const Piece row = fetch(warp.shfl(id, begin));
    for (int i = begin; i < end; ++i) {
      const size_t to = static_cast<size_t>(warp.shfl(token, i)) * pieces + piece;
      if (has_piece) out[to] = row;
    }
  }
  // END: walk
}

// ids, order: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing
// to do.
void embedding_sorted(const int* ids, const int* order, const float* table, float* out, int tokens,
                      int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 10 lines)
  const bool quads = width % 4 == 0 && (reinterpret_cast<std::uintptr_t>(table) % 16 == 0) &&
                     (reinterpret_cast<std::uintptr_t>(out) % 16 == 0);
  const auto go = [=](auto* from, auto* to) {
    using Piece = std::remove_pointer_t<decltype(to)>;
    const int pieces = width / static_cast<int>(sizeof(Piece) / sizeof(float));
    const auto up = [](int a, int b) { return static_cast<unsigned>((a - 1) / b + 1); };
    sorted_kernel<Piece><<<dim3(up(tokens, kRun * kWarpsPerBlock), up(pieces, kWarp)), kThreads>>>(
        ids, order, from, to, tokens, vocabulary, pieces);
  };
  if (quads)
    go(reinterpret_cast<const float4*>(table), reinterpret_cast<float4*>(out));
  else
    go(table, out);
  // END: launch
}
