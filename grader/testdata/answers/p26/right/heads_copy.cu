// STYLE: a warp for each position; only the first of each id works, for all tokens of its run
#include <cuda_runtime.h>

__global__ void heads(const int* ids, const int* order, const float* table, float* out, int tokens, int vocabulary,
                      int width) {
  // FILL ME IN: walk (roughly 16 lines)
  const long at = (blockIdx.x * long(blockDim.x) + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (at >= tokens) return;
  const int id = ids[at];
  if (at % 64 != 0 && ids[at - 1] == id) return;
  const bool known = id >= 0 && id < vocabulary;
  for (int column = lane; column < width; column += 32) {
    const float value = known ? table[long(id) * width + column] : 0.0f;
    long i = at;
    do {
      out[long(order[i]) * width + column] = value;
      ++i;
    } while (i < tokens && i % 64 != 0 && ids[i] == id);
  }
  // END: walk
}

void embedding_sorted(const int* ids, const int* order, const float* table, float* out, int tokens, int vocabulary,
                      int width) {
  if (tokens == 0 || width == 0) return;
  // FILL ME IN: launch (roughly 1 line)
  heads<<<(tokens + 3) / 4, 128>>>(ids, order, table, out, tokens, vocabulary, width);
  // END: launch
}
