// ENTRY: kernel
// CLASS: pointer
// CAUSE: The offset of the batch is left out: every sequence has the scores of the first.
// SAYS: batch|sequence|qkv
// SAYS: batch 0|first|offset|every|only|never read
// NEVER: \brace\b|barrier|uninitiali
// HELD: yes
#include <cuda_runtime.h>

constexpr int kSide = 16;             // threads of a block in each direction
constexpr int kEach = 8;              // results of a thread in each direction
constexpr int kTile = kSide * kEach;  // results of a block in each direction

__global__ void __launch_bounds__(kSide* kSide)
    trimat_kernel(const float* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                  int channels) {
  const int batch = blockIdx.z / heads, head = blockIdx.z % heads;
  const size_t pitch = 3 * static_cast<size_t>(heads) * channels;
  const float* q = qkv + static_cast<size_t>(head) * channels;
  const float* k = q + static_cast<size_t>(heads) * channels;
  [[maybe_unused]] float* scores = out + static_cast<size_t>(blockIdx.z) * positions * positions;
  [[maybe_unused]] const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  const int first_i = blockIdx.y * kTile + threadIdx.y * kEach;
  const int first_j = blockIdx.x * kTile + threadIdx.x * kEach;
  if (first_i >= positions || first_j > first_i + kEach - 1) return;

  // The thread's rows. In place of one behind the last position stands the last one: it may be read, and what
  // comes of it is not stored.
  const float *q_row[kEach], *k_row[kEach];
  for (int n = 0; n < kEach; ++n) {
    q_row[n] = q + min(first_i + n, positions - 1) * pitch;
    k_row[n] = k + min(first_j + n, positions - 1) * pitch;
  }
  // sum[a][b] belongs to row first_i + a and column first_j + b.
  [[maybe_unused]] float sum[kEach][kEach] = {};

  // FILL ME IN: products (roughly 8 lines)
  for (int c = 0; c < channels; ++c) {
    float of_q[kEach], of_k[kEach];
#pragma unroll
    for (int n = 0; n < kEach; ++n) of_q[n] = q_row[n][c], of_k[n] = k_row[n][c];
#pragma unroll
    for (int a = 0; a < kEach; ++a)
#pragma unroll
      for (int b = 0; b < kEach; ++b) sum[a][b] += of_q[a] * of_k[b];
  }
  // END: products

  // FILL ME IN: store (roughly 7 lines)
#pragma unroll
  for (int a = 0; a < kEach; ++a)
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const int i = first_i + a, j = first_j + b;
      if (i < positions && j <= i) scores[static_cast<size_t>(i) * positions + j] = sum[a][b] * scale;
    }
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads,
                                                                           channels);
}
