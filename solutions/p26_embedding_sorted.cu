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
  const int visits = static_cast<int>(min(static_cast<long>(kRun), tokens - first));
  // One request for 32 ids, one for 32 tokens; from here on they are handed round by shuffles.
  const int my_id = lane < visits ? ids[first + lane] : -1;
  const int my_token = lane < visits ? order[first + lane] : -1;
  Piece value{};
  for (int i = 0; i < visits; ++i) {
    const int id = __shfl_sync(kAllLanes, my_id, i);
    const long token = __shfl_sync(kAllLanes, my_token, i);
    const int id_before = __shfl_sync(kAllLanes, my_id, i > 0 ? i - 1 : 0);
    if (i == 0 || id != id_before) {
      const bool known = static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary);
      value = known && piece < pieces ? table[static_cast<long>(id) * pieces + piece] : Piece{};
    }
    // Lanes past the end of the row stay for the shuffles; they have nothing to write.
    if (piece < pieces) __stcs(out + token * pieces + piece, value);
  }
  // END: walk
}

// ids, order: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing
// to do.
void embedding_sorted(const int* ids, const int* order, const float* table, float* out, int tokens,
                      int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 10 lines)
  const unsigned blocks = (tokens - 1) / (kRun * kWarpsPerBlock) + 1;
  const auto bases = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out);
  if (width % 4 == 0 && bases % sizeof(float4) == 0) {
    const unsigned slices = (width / 4 - 1) / kWarp + 1;
    sorted_kernel<<<dim3(blocks, slices), kThreads>>>(ids, order, reinterpret_cast<const float4*>(table),
                                                      reinterpret_cast<float4*>(out), tokens, vocabulary,
                                                      width / 4);
  } else {
    const unsigned slices = (width - 1) / kWarp + 1;
    sorted_kernel<<<dim3(blocks, slices), kThreads>>>(ids, order, table, out, tokens, vocabulary, width);
  }
  // END: launch
}
