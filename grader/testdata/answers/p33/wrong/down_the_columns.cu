// ENTRY: kernel
// CLASS: control-flow
// CAUSE: The inner loop goes down the rows of a column, where the results above the diagonal come first, and leaves at the first of them with break instead of going on with continue, so the rows below, which are wanted, are never computed.
// HELD: no
// SAYS: break|continue|leave|loop|stop|skip
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
  [[maybe_unused]] const float* q = qkv + batch * positions * pitch + static_cast<size_t>(head) * channels;
  [[maybe_unused]] const float* k = q + static_cast<size_t>(heads) * channels;
  [[maybe_unused]] float* scores = out + static_cast<size_t>(blockIdx.z) * positions * positions;
  [[maybe_unused]] const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  // The results of a thread are 16 rows and 16 columns apart: neighbouring lanes store side by side.
  const int first_i = blockIdx.y * kTile + threadIdx.y;
  const int first_j = blockIdx.x * kTile + threadIdx.x;

  // FILL ME IN: skip (roughly 1 line)
  if (blockIdx.x > blockIdx.y) return;  // the whole block lies above the diagonal
  // END: skip

  // Must write scores[i * positions + j] for the thread's i and j, those above the diagonal or not.
  // FILL ME IN: products (roughly 6 lines)
  for (int b = 0; b < kEach; ++b) {
    const int j = first_j + b * kSide;
    if (j >= positions) break;
    const float* of_k = k + j * pitch;
    for (int a = 0; a < kEach; ++a) {
      const int i = first_i + a * kSide;
      if (i >= positions || j > i) break;
      const float* of_q = q + i * pitch;
      float sum = 0.0f;
      for (int c = 0; c < channels; ++c) sum += of_q[c] * of_k[c];
      scores[static_cast<size_t>(i) * positions + j] = sum * scale;
    }
  }
  // END: products
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads,
                                                                           channels);
}
