// ENTRY: kernel
// CLASS: over-budget
// CAUSE: The grid's second dimension has one block for each 32 pieces of a row, but each of those blocks copies the whole row, so the row is read and written as many times as it has slices.
// SAYS: same work|\d(\.0)? times
// NEVER: wrong (answer|result|value)|uncoalesced|not coalesced|use an atomic
// HELD: no
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLanes = 32;
constexpr int kTokensPerBlock = 8;

template <typename Vec>
__global__ void fetch_rows(const int* __restrict__ ids, const Vec* __restrict__ table, Vec* __restrict__ out,
                           const int tokens, const int vocabulary, const int length) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y;
  if (token >= tokens) return;
  const int id = __ldg(&ids[token]);
  const bool inside = static_cast<unsigned>(id) < static_cast<unsigned>(vocabulary);
  const Vec* const source = inside ? table + static_cast<int64_t>(id) * length : nullptr;
  Vec* const target = out + static_cast<int64_t>(token) * length;
  for (int j = threadIdx.x; j < length; j += kLanes) {
    Vec v{};
    if (source) v = source[j];
    target[j] = v;
  }
}

template <typename Vec>
static void run_fetch(const int* ids, const void* table, void* out, int tokens, int vocabulary, int length) {
  const dim3 block(kLanes, kTokensPerBlock);
  const dim3 grid((tokens - 1) / kTokensPerBlock + 1, (length - 1) / kLanes + 1);
  fetch_rows<Vec><<<grid, block>>>(ids, static_cast<const Vec*>(table), static_cast<Vec*>(out), tokens, vocabulary,
                                   length);
}

void embedding_gather(const int* ids, const float* table, float* out, int tokens, int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;
  const bool sixteen = width % 4 == 0 && reinterpret_cast<uintptr_t>(table) % 16 == 0 &&
                       reinterpret_cast<uintptr_t>(out) % 16 == 0;
  if (sixteen)
    run_fetch<float4>(ids, table, out, tokens, vocabulary, width / 4);
  else
    run_fetch<float>(ids, table, out, tokens, vocabulary, width);
}
