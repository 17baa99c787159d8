// STYLE: tiles of 32 lanes of cooperative groups, float2
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

template <class V, int kParts>
__device__ void pool_columns(cg::thread_block_tile<32> tile, const int* ids, int first, int end, const V* table, V* to,
                             int vocabulary, int pieces, float factor) {
  for (int p = tile.thread_rank(); p < pieces; p += tile.size()) {
    float sum[kParts] = {};
    for (int i = first; i < end; ++i) {
      const int id = ids[i];
      if (id < 0 || id >= vocabulary) continue;
      const V v = table[long(id) * pieces + p];
      for (int k = 0; k < kParts; ++k) sum[k] += reinterpret_cast<const float*>(&v)[k];
    }
    V result;
    for (int k = 0; k < kParts; ++k) reinterpret_cast<float*>(&result)[k] = sum[k] * factor;
    to[p] = result;
  }
}

__global__ void kernel(const int* ids, const int* offsets, const float* table, float* out, int bags, int count,
                       int vocabulary, int width, int mean) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const long bag = blockIdx.x * long(tile.meta_group_size()) + tile.meta_group_rank();
  if (bag >= bags) return;
  // FILL ME IN: pool_bag (roughly 8 lines)
  const int first = offsets[bag], end = bag < bags - 1 ? offsets[bag + 1] : count;
  const float factor = mean != 0 && first < end ? __frcp_rn(float(end - first)) : 1.0f;
  if (width % 2 == 0)
    pool_columns<float2, 2>(tile, ids, first, end, reinterpret_cast<const float2*>(table),
                            reinterpret_cast<float2*>(out) + bag * (width / 2), vocabulary, width / 2, factor);
  else
    pool_columns<float, 1>(tile, ids, first, end, table, out + bag * width, vocabulary, width, factor);
  // END: pool_bag
}

void embedding_bag(const int* ids, const int* offsets, const float* table, float* out, int bags, int count,
                   int vocabulary, int width, int mean) {
  if (bags == 0 || width == 0) return;
  // FILL ME IN: launch (roughly 1 line)
  kernel<<<(bags + 3) / 4, 128>>>(ids, offsets, table, out, bags, count, vocabulary, width, mean);
  // END: launch
}
