// ENTRY: kernel
// CLASS: over-budget
// CAUSE: the id of the row that is held is never set anew, so that nearly every token reads its row
// SAYS: table.*times over
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
  const long left = tokens - first;
  const int visits = left < kRun ? static_cast<int>(left) : kRun;
  const int my_id = lane < visits ? ids[first + lane] : -1;
  const int my_token = lane < visits ? order[first + lane] : -1;
  const auto read_row = [&](int id) {
    const bool known = id >= 0 && id < vocabulary;
    return known && piece < pieces ? table[static_cast<long>(id) * pieces + piece] : Piece{};
  };

  int id_before = __shfl_sync(kAllLanes, my_id, 0);
  Piece value = read_row(id_before);
  for (int i = 0; i < visits; ++i) {
    const int id = __shfl_sync(kAllLanes, my_id, i);
    const long token = __shfl_sync(kAllLanes, my_token, i);
    if (id != id_before) value = read_row(id);
    if (piece < pieces) out[token * pieces + piece] = value;
  }
  // END: walk
}

// ids, order: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing
// to do.
void embedding_sorted(const int* ids, const int* order, const float* table, float* out, int tokens,
                      int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  // FILL ME IN: launch (roughly 10 lines)
  const bool wide = width % 4 == 0 && reinterpret_cast<std::uintptr_t>(table) % sizeof(float4) == 0 &&
                    reinterpret_cast<std::uintptr_t>(out) % sizeof(float4) == 0;
  const int pieces = wide ? width / 4 : width;
  constexpr int kPerBlock = kRun * kWarpsPerBlock;
  const dim3 grid((tokens - 1) / kPerBlock + 1, (pieces - 1) / kWarp + 1);
  if (wide) {
    sorted_kernel<float4><<<grid, kThreads>>>(ids, order, reinterpret_cast<const float4*>(table),
                                              reinterpret_cast<float4*>(out), tokens, vocabulary, pieces);
  } else {
    sorted_kernel<float><<<grid, kThreads>>>(ids, order, table, out, tokens, vocabulary, pieces);
  }
  // END: launch
}
