// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: a thread stores rows behind the last position, into the next head or past the end of out
// SAYS: out-of-bounds store
// SAYS: positions
// NEVER: race|barrier
// HELD: no
#include <cuda_runtime.h>

constexpr int kSide = 16;             // threads of a block in each direction
constexpr int kEach = 8;              // results of a thread in each direction
constexpr int kTile = kSide * kEach;  // results of a block in each direction

__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__global__ void __launch_bounds__(kSide* kSide)
    trimat_kernel(const float* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                  int channels) {
  const int batch = blockIdx.z / heads, head = blockIdx.z % heads;
  const size_t pitch = 3 * static_cast<size_t>(heads) * channels;
  const float* q = qkv + batch * positions * pitch + static_cast<size_t>(head) * channels;
  const float* k = q + static_cast<size_t>(heads) * channels;
  [[maybe_unused]] float* scores = out + static_cast<size_t>(blockIdx.z) * positions * positions;
  [[maybe_unused]] const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  const int first_i = blockIdx.y * kTile + threadIdx.y * kEach;
  const int first_j = blockIdx.x * kTile + threadIdx.x * kEach;
  if (first_i >= positions || first_j > first_i + kEach - 1) return;

  // The thread's rows, in pieces of four channels: q_row[a][p] is piece p of one, 16 bytes. In place of one
  // behind the last position stands the last one: it may be read, and what comes of it is not stored.
  const float4 *q_row[kEach], *k_row[kEach];
  for (int n = 0; n < kEach; ++n) {
    q_row[n] = reinterpret_cast<const float4*>(q + min(first_i + n, positions - 1) * pitch);
    k_row[n] = reinterpret_cast<const float4*>(k + min(first_j + n, positions - 1) * pitch);
  }
  [[maybe_unused]] const int pieces = channels / 4;
  // sum[a][b] belongs to row first_i + a and column first_j + b.
  [[maybe_unused]] float sum[kEach][kEach] = {};

  // FILL ME IN: products (roughly 10 lines)
  for (int p = 0; p < pieces; ++p) {
    float4 query[kEach];
#pragma unroll
    for (int a = 0; a < kEach; ++a) query[a] = q_row[a][p];
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const float4 key = k_row[b][p];
#pragma unroll
      for (int a = 0; a < kEach; ++a) sum[a][b] += dot(query[a], key);
    }
  }
  // END: products

  // FILL ME IN: store (roughly 14 lines)
  const bool whole_pieces = (positions & 3) == 0;
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    const int i = first_i + a;
    float* const line = scores + static_cast<size_t>(i) * positions;
    const int last = min(i, positions - 1);  // the last column that anybody looks at
#pragma unroll
    for (int b = 0; b < kEach; b += 4) {
      const int j = first_j + b;
      if (j > last) break;
      const float4 four = {sum[a][b] * scale, sum[a][b + 1] * scale, sum[a][b + 2] * scale, sum[a][b + 3] * scale};
      if (whole_pieces) {
        *reinterpret_cast<float4*>(line + j) = four;
      } else {
        line[j] = four.x;
        if (j + 1 <= last) line[j + 1] = four.y;
        if (j + 2 <= last) line[j + 2] = four.z;
        if (j + 3 <= last) line[j + 3] = four.w;
      }
    }
  }
  // END: store
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads,
                                                                           channels);
}
