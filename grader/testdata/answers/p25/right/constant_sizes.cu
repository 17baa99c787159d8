// STYLE: the sizes in constant memory by cudaMemcpyToSymbol, lanes of 8 a token, loads that keep out of L1
#include <cuda_runtime.h>

__constant__ int sizes[3];

__global__ void gather_kernel(const int* ids, const float* table, float* out) {
  const int tokens = sizes[0], vocabulary = sizes[1], width = sizes[2];
  const int token = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
  if (token >= tokens) return;
  // FILL ME IN: gather_row (roughly 8 lines)
  const int id = ids[token];
  float* to = out + static_cast<long>(token) * width;
  if (id < 0 || id >= vocabulary) {
    for (int c = lane; c < width; c += 8) to[c] = 0.0f;
    return;
  }
  for (int c = lane; c < width; c += 8) {
    float v;
    asm volatile("ld.global.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(table + static_cast<long>(id) * width + c));
    to[c] = v;
  }
  // END: gather_row
}

void embedding_gather(const int* ids, const float* table, float* out, int tokens, int vocabulary, int width) {
  if (tokens == 0 || width == 0) return;
  // FILL ME IN: launch (roughly 9 lines)
  const int host[3] = {tokens, vocabulary, width};
  cudaMemcpyToSymbol(sizes, host, sizeof host);
  gather_kernel<<<(tokens * 8 + 255) / 256, 256>>>(ids, table, out);
  // END: launch
}
