// STYLE: sums in shared memory, the ids outside and the pieces inside, each id read once
#include <cuda_runtime.h>

__global__ void bags_in_shared(const int* ids, const int* offsets, const float* table, float* out, int bags, int count,
                               int vocabulary, int width, float by_mean) {
  extern __shared__ float sums[];
  // FILL ME IN: pool_bag (roughly 14 lines)
  for (long bag = blockIdx.x; bag < bags; bag += gridDim.x) {
    const int first = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
    for (int c = threadIdx.x; c < width; c += blockDim.x) sums[c] = 0.0f;
    for (int i = first; i < end; ++i) {
      const long id = ids[i];
      if (id >= 0 && id < vocabulary)
        for (int c = threadIdx.x; c < width; c += blockDim.x) sums[c] += table[id * width + c];
    }
    const float by = 1.0f + by_mean * (max(end - first, 1) - 1);
    for (int c = threadIdx.x; c < width; c += blockDim.x) out[bag * width + c] = sums[c] / by;
  }
  // END: pool_bag
}

void embedding_bag(const int* ids, const int* offsets, const float* table, float* out, int bags, int count,
                   int vocabulary, int width, int mean) {
  if (bags == 0 || width == 0) return;
  // FILL ME IN: launch (roughly 2 lines)
  bags_in_shared<<<min(bags, 500), 128, width * sizeof(float)>>>(ids, offsets, table, out, bags, count, vocabulary, width,
                                                                 float(mean));
  // END: launch
}
