// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Two kernels: the rows are gathered into a tensor of their own and read again.
// SAYS: launch|allocat|intermediate|rows
// SAYS: \b2\b|two|extra|again|bytes|MiB|KiB
// NEVER: uncoalesced|not coalesced|wrong (answer|result|value)|\brace\b
// HELD: no
#include <cuda_runtime.h>

__global__ void gather(const int* ids, const float* table, float* rows, int vocabulary, int width) {
  const int id = ids[blockIdx.x];
  for (int c = threadIdx.x; c < width; c += blockDim.x)
    rows[long(blockIdx.x) * width + c] = id >= 0 && id < vocabulary ? table[long(id) * width + c] : 0.0f;
}

__global__ void pool(const float* rows, const int* offsets, float* out, int count, int width, int mean) {
  // FILL ME IN: pool_bag (roughly 7 lines)
  const int first = offsets[blockIdx.x], end = blockIdx.x + 1 < gridDim.x ? offsets[blockIdx.x + 1] : count;
  for (int c = threadIdx.x; c < width; c += blockDim.x) {
    float sum = 0.0f;
    for (int i = first; i < end; ++i) sum += rows[long(i) * width + c];
    out[long(blockIdx.x) * width + c] = mean && end > first ? sum / (end - first) : sum;
  }
  // END: pool_bag
}

void embedding_bag(const int* ids, const int* offsets, const float* table, float* out, int bags, int count,
                   int vocabulary, int width, int mean) {
  if (bags == 0 || width == 0) return;
  float* rows;
  cudaMalloc(&rows, sizeof(float) * count * width);
  // FILL ME IN: launch (roughly 2 lines)
  gather<<<count, 256>>>(ids, table, rows, vocabulary, width);
  pool<<<bags, 256>>>(rows, offsets, out, count, width, mean);
  // END: launch
  cudaFree(rows);
}
