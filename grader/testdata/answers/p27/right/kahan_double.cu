// STYLE: a compensated sum for floats, a while loop, the factor by pow
#include <cuda_runtime.h>

__global__ void compensated(const int* ids, const int* offsets, const float* table, float* out, int bags, int count,
                            int vocabulary, int width, int mean) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (warp >= bags) return;
  // FILL ME IN: pool_bag (roughly 16 lines)
  const int first = offsets[warp], end = warp == bags - 1 ? count : offsets[warp + 1];
  for (int c = lane; c < width; c += 32) {
    float sum = 0.0f, lost = 0.0f;
    int i = first;
    while (i < end) {
      const unsigned id = ids[i++];
      const float term = id < unsigned(vocabulary) ? table[static_cast<unsigned long long>(id) * width + c] : 0.0f;
      const float y = term - lost, t = sum + y;
      lost = (t - sum) - y;
      sum = t;
    }
    out[static_cast<long>(warp) * width + c] = end > first ? sum * powf(float(end - first), float(-mean)) : 0.0f;
  }
  // END: pool_bag
}

void embedding_bag(const int* ids, const int* offsets, const float* table, float* out, int bags, int count,
                   int vocabulary, int width, int mean) {
  if (bags == 0 || width == 0) return;
  // FILL ME IN: launch (roughly 1 line)
  compensated<<<(bags + 31) / 32, 1024>>>(ids, offsets, table, out, bags, count, vocabulary, width, mean);
  // END: launch
}
