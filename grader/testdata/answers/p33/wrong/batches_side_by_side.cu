// ENTRY: kernel
// CLASS: pointer
// CAUSE: The sequences are taken to lie T * NH * HS values apart: the factor 3 is forgotten between batches.
// SAYS: batch|sequence|qkv|\bq\b
// SAYS: 3|apart|pitch|instead|offset
// NEVER: \brace\b|barrier|uninitiali
// HELD: no
#include <cuda_runtime.h>

constexpr int kSide = 16;             // threads of a block in each direction
constexpr int kEach = 8;              // results of a thread in each direction
constexpr int kTile = kSide * kEach;  // results of a block in each direction

__global__ void __launch_bounds__(kSide* kSide)
    trimat_kernel(const float* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                  int channels) {
  const int batch = blockIdx.z / heads, head = blockIdx.z % heads;
  // Values from one position to the next; row i of this head's q is q + i * pitch, of its k likewise.
  [[maybe_unused]] const size_t pitch = 3 * static_cast<size_t>(heads) * channels;
  [[maybe_unused]] const float* q = qkv + batch * positions * static_cast<size_t>(heads) * channels + static_cast<size_t>(head) * channels;
  [[maybe_unused]] const float* k = q + static_cast<size_t>(heads) * channels;
  [[maybe_unused]] float* scores = out + static_cast<size_t>(blockIdx.z) * positions * positions;
  [[maybe_unused]] const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  [[maybe_unused]] const int first_i = blockIdx.y * kTile + threadIdx.y * kEach;
  [[maybe_unused]] const int first_j = blockIdx.x * kTile + threadIdx.x * kEach;

  // FILL ME IN: skip (roughly 1 line)
  if (first_j > first_i + kEach - 1) return;
  // END: skip

  // Must write scores[i * positions + j] for the thread's i and j, those above the diagonal or not.
  // FILL ME IN: products (roughly 6 lines)
  for (int i = first_i; i < min(first_i + kEach, positions); ++i)
    for (int j = first_j; j < min(first_j + kEach, positions); ++j) {
      float sum = 0.0f;
      for (int c = 0; c < channels; ++c) sum += q[i * pitch + c] * k[j * pitch + c];
      scores[static_cast<size_t>(i) * positions + j] = sum * scale;
    }
  // END: products
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads,
                                                                           channels);
}
