// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Two tokens are done a round, and for the last of an odd number no row is fetched.
// SAYS: fetch
// NEVER: race|barrier
// HELD: no
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
                  Piece* __restrict__ out, int tokens, int vocabulary,
                  int pieces) {
  const int lane = threadIdx.x % kWarp;
  const int piece = static_cast<int>(blockIdx.y) * kWarp + lane;
  const long first = (static_cast<long>(blockIdx.x) * kWarpsPerBlock + threadIdx.x / kWarp) * kRun;
  if (first >= tokens) return;  // The last block may have warps to spare; they leave as whole warps.

  const int count = first + kRun <= tokens ? kRun : static_cast<int>(tokens - first);
  const bool has_piece = piece < pieces;  // lanes without one stay for the shuffles
  int my_id = -1, my_token = 0;
  if (lane < count) {
    const int id = ids[first + lane];
    my_id = 0 <= id && id < vocabulary ? id : -1;  // all unknown ids are one: -1, with a row of zeros
    my_token = order[first + lane];
  }

  int held = -1;  // the id whose piece is in `kept`
  Piece kept = {};
  const auto fetch = [&](int id) {
    if (id == held) return;
    held = id;
    kept = id >= 0 && has_piece ? table[static_cast<size_t>(id) * pieces + piece] : Piece{};
  };
  const auto write = [&](int token) {
    if (has_piece) out[static_cast<size_t>(token) * pieces + piece] = kept;
  };

  // Two tokens in each round, so that four shuffles are under way at once.
  int i = 0;
  for (; i + 1 < count; i += 2) {
    const int id_a = __shfl_sync(kAllLanes, my_id, i), id_b = __shfl_sync(kAllLanes, my_id, i + 1);
    const int token_a = __shfl_sync(kAllLanes, my_token, i), token_b = __shfl_sync(kAllLanes, my_token, i + 1);
    fetch(id_a);
    write(token_a);
    fetch(id_b);
    write(token_b);
  }
  if (i < count) write(__shfl_sync(kAllLanes, my_token, i));
}

// ids, order: [tokens]; table: [vocabulary, width]; out: [tokens, width]; device memory. No tokens: nothing
// to do.
void embedding_sorted(const int* ids, const int* order, const float* table, float* out, int tokens,
                      int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;  // A grid of no blocks is an error, not an empty launch.
  constexpr int kFloats = sizeof(float4) / sizeof(float);
  const auto bases = reinterpret_cast<std::uintptr_t>(table) | reinterpret_cast<std::uintptr_t>(out);
  const bool wide = width % kFloats == 0 && bases % sizeof(float4) == 0;
  const int pieces = wide ? width / kFloats : width;
  const auto up = [](int a, int b) { return a / b + (a % b != 0); };
  const dim3 grid(up(up(tokens, kRun), kWarpsPerBlock), up(pieces, kWarp));
  if (wide)
    sorted_kernel<float4><<<grid, kThreads>>>(ids, order, reinterpret_cast<const float4*>(table),
                                              reinterpret_cast<float4*>(out), tokens, vocabulary, pieces);
  else
    sorted_kernel<float><<<grid, kThreads>>>(ids, order, table, out, tokens, vocabulary, pieces);
}
