// ENTRY: kernel
// CLASS: index
// CAUSE: The keys of a head are taken one head behind its queries, and not behind those of all heads.
// SAYS: HS values behind
// NEVER: race|barrier
// HELD: no
// p33: attention scores on and below the diagonal. Blocks are numbered along the triangle, so that none of
// them lies above it as a whole; a block of 256 threads has 128 x 128 results, a thread a square of 8 x 8.
#include <cuda_runtime.h>

namespace {

constexpr int kSquare = 8;
constexpr int kAcross = 16;
constexpr int kThreads = kAcross * kAcross;
constexpr int kBlockSide = kSquare * kAcross;

// The queries and keys of one head of one sequence.
struct Head {
  const float* first;  // query of position 0
  size_t pitch;        // from one position to the next
  int channels;

  __device__ Head(const float* qkv, int batch, int head, int positions, int heads, int channels)
      : pitch(static_cast<size_t>(3) * heads * channels), channels(channels) {
    first = qkv + static_cast<size_t>(batch) * positions * pitch + static_cast<size_t>(head) * channels;
  }
  __device__ const float* query(int i) const { return first + i * pitch; }
  __device__ const float* key(int j) const { return first + j * pitch + channels; }

  __device__ float product(int i, int j) const {
    const float *q = query(i), *k = key(j);
    float sum = 0.0f;
    for (int c = 0; c < channels; ++c) sum += q[c] * k[c];
    return sum;
  }
};

__global__ void __launch_bounds__(kThreads)
    triangle(const float* __restrict__ qkv, float* __restrict__ out, int positions, int heads, int channels) {
  int down = 0, right = blockIdx.x;  // row `down` of the triangle of blocks has down + 1 of them
  while (right > down) right -= ++down;
  const int first_i = down * kBlockSide + threadIdx.x / kAcross * kSquare;
  const int first_j = right * kBlockSide + threadIdx.x % kAcross * kSquare;
  if (first_i >= positions || first_j > first_i + kSquare - 1) return;

  const Head head(qkv, blockIdx.y / heads, blockIdx.y % heads, positions, heads, channels);
  float* scores = out + static_cast<size_t>(blockIdx.y) * positions * positions;
  const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  const int end_i = min(first_i + kSquare, positions), end_j = min(first_j + kSquare, positions);
  for (int i = first_i; i < end_i; ++i)
    for (int j = first_j; j < end_j; ++j)
      scores[static_cast<size_t>(i) * positions + j] = head.product(i, j) * scale;
}

}  // namespace

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int side = (positions + kBlockSide - 1) / kBlockSide;
  triangle<<<dim3(side * (side + 1) / 2, batch * heads), kThreads>>>(qkv, out, positions, heads, channels);
}
