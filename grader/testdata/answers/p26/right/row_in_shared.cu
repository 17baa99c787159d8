// STYLE: a warp a block keeps the row in shared memory
#include <cuda_runtime.h>

__global__ void __launch_bounds__(32) keep(const int* __restrict__ ids, const int* __restrict__ order,
                                           const float* __restrict__ table, float* __restrict__ out, int tokens,
                                           int vocabulary, int width) {
  extern __shared__ float row[];
  // FILL ME IN: walk (roughly 14 lines)
  int kept = 0;
  bool has = false;
  for (int i = blockIdx.x * 24; i < min(tokens, int(blockIdx.x) * 24 + 24); ++i) {
    if (!has || ids[i] != kept) {
      kept = ids[i];
      has = true;
      for (int c = threadIdx.x; c < width; c += 32)
        row[c] = kept >= 0 && kept < vocabulary ? table[static_cast<long>(kept) * width + c] : 0.0f;
    }
    for (int c = threadIdx.x; c < width; c += 32) out[static_cast<long>(order[i]) * width + c] = row[c];
  }
  // END: walk
}

void embedding_sorted(const int* ids, const int* order, const float* table, float* out, int tokens, int vocabulary,
                      int width) {
  if (tokens == 0 || width == 0) return;
  // FILL ME IN: launch (roughly 1 line)
  keep<<<(tokens + 23) / 24, 32, width * sizeof(float)>>>(ids, order, table, out, tokens, vocabulary, width);
  // END: launch
}
