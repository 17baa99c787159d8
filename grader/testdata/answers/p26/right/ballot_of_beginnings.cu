// STYLE: a ballot of the lanes where a new id begins, then from one to the next by __ffs
// p26: look up one row of a table for every token, in the order of the ids. A warp has 32 tokens and asks all
// of its lanes at once where a new id begins; then it goes from one such place to the next, bit by bit.
#include <cuda_runtime.h>

#include <cstdint>

namespace {

constexpr unsigned kFull = 0xffffffffu;
constexpr int kLanes = 32;
constexpr int kWarps = 4;

template <typename Piece>
__global__ void __launch_bounds__(kLanes* kWarps)
    by_ids(const int* __restrict__ ids, const int* __restrict__ order, const Piece* __restrict__ table,
           Piece* __restrict__ out, int tokens, int vocabulary, int pieces, unsigned slices) {
  const int lane = threadIdx.x % kLanes;
  const int piece = static_cast<int>(blockIdx.x % slices) * kLanes + lane;
  const long first = (static_cast<long>(blockIdx.x / slices) * kWarps + threadIdx.x / kLanes) * kLanes;
  if (first >= tokens) return;
  const int here = tokens - first < kLanes ? static_cast<int>(tokens - first) : kLanes;
  const bool mine = piece < pieces;

  const int id = lane < here ? ids[first + lane] : 0, token = lane < here ? order[first + lane] : 0;
  const int before = __shfl_up_sync(kFull, id, 1);
  unsigned begins = __ballot_sync(kFull, lane < here && (lane == 0 || id != before));
  while (begins != 0) {
    const int from = __ffs(begins) - 1;
    begins &= begins - 1;
    const int to = begins != 0 ? __ffs(begins) - 1 : here;

    const int wanted = __shfl_sync(kFull, id, from);
    const bool known = 0 <= wanted && wanted < vocabulary;
    const Piece row = mine && known ? table[static_cast<size_t>(wanted) * pieces + piece] : Piece{};
    for (int t = from; t < to; ++t) {
      const size_t where = __shfl_sync(kFull, token, t);
      if (mine) out[where * pieces + piece] = row;
    }
  }
}

template <typename Piece>
void start(const int* ids, const int* order, const float* table, float* out, int tokens, int vocabulary,
           int pieces) {
  constexpr int kOfBlock = kLanes * kWarps;
  const unsigned slices = (pieces + kLanes - 1) / kLanes;
  const unsigned runs = tokens / kOfBlock + (tokens % kOfBlock != 0);
  by_ids<Piece><<<runs * slices, kOfBlock>>>(ids, order, reinterpret_cast<const Piece*>(table),
                                             reinterpret_cast<Piece*>(out), tokens, vocabulary, pieces, slices);
}

}  // namespace

void embedding_sorted(const int* ids, const int* order, const float* table, float* out, int tokens,
                      int vocabulary, int width) {
  if (tokens <= 0 || width <= 0) return;
  const auto address = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  if (width % 4 == 0 && (address(table) | address(out)) % sizeof(float4) == 0)
    start<float4>(ids, order, table, out, tokens, vocabulary, width / 4);
  else
    start<float>(ids, order, table, out, tokens, vocabulary, width);
}
