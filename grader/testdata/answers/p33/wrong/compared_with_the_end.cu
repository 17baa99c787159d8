// ENTRY: kernel
// CLASS: index
// CAUSE: the place is compared with the end of the matrix and the column not with that of its row
// SAYS: first_j \+ s < positions
// p33: attention scores of which only half are looked at.
//
//   out[b][h][i][j] = sum over c of q[b][i][h][c] * k[b][j][h][c] / sqrt(HS)      for j <= i
//   qkv [B,T,3,NH,HS]: for each position its queries, keys and values of all heads      out [B,NH,T,T]
//
// A position may attend to itself and to those before it. So of each T x T matrix only the lower triangle is
// wanted, the diagonal with it: above the diagonal (j > i) nobody looks, whatever is there or is not.
//
//   block (x, y, z)    128 x 128 results of matrix z = b * NH + h; 16 x 16 threads
//   thread             8 x 8 of them, side by side, rows from first_i on and columns from first_j on
//
//   skip       leave when all of the thread's results lie above the diagonal
//   products   compute and store the others, one after the other
//
//   grader p33     grader hint p33     grader lesson p33
//
// T is anything, HS a multiple of 4. All of this file is yours to change, the launch too; only `trimat` keeps
// its name and its parameters.
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
  [[maybe_unused]] const int first_i = blockIdx.y * kTile + threadIdx.y * kEach;
  [[maybe_unused]] const int first_j = blockIdx.x * kTile + threadIdx.x * kEach;

  // FILL ME IN: skip (roughly 1 line)
  if (first_i >= positions || first_j > first_i + kEach - 1) return;
  // END: skip

  // Must write scores[i * positions + j] for the thread's i and j, those above the diagonal or not.
  // FILL ME IN: products (roughly 6 lines)
  const int last = positions - 1;
  float acc[kEach][kEach] = {};
  for (int c = 0; c < channels; ++c) {
    float a[kEach], b[kEach];
  #pragma unroll
    for (int r = 0; r < kEach; ++r) {
      a[r] = q[min(first_i + r, last) * pitch + c];
      b[r] = k[min(first_j + r, last) * pitch + c];
    }
  #pragma unroll
    for (int r = 0; r < kEach; ++r)
  #pragma unroll
      for (int s = 0; s < kEach; ++s) acc[r][s] += a[r] * b[s];
  }
  const size_t all = static_cast<size_t>(positions) * positions;
  #pragma unroll
  for (int s = 0; s < kEach; ++s)
  #pragma unroll
    for (int r = 0; r < kEach; ++r) {
      const size_t at = static_cast<size_t>(first_i + r) * positions + first_j + s;
      if (at < all) scores[at] = acc[r][s] * scale;
    }
  // END: products
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads,
                                                                           channels);
}
