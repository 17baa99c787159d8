// ENTRY: kernel
// CLASS: out-of-bounds
// CAUSE: Nobody compares columns with the end of the row.
// SAYS: past the end
// SAYS: index|elements
// NEVER: \brace\b|barrier
// HELD: no
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
  if (first_j > first_i + kEach - 1) return;
  // END: skip

  // Must write scores[i * positions + j] for the thread's i and j, those above the diagonal or not.
  // FILL ME IN: products (roughly 6 lines)
  for (int a = 0; a < kEach; ++a) {
    const int i = first_i + a;
    if (i >= positions) break;
    for (int b = 0; b < kEach; ++b) {
      const int j = first_j + b;
      float dot = 0.0f;
      for (int c = 0; c < channels; ++c) dot += q[i * pitch + c] * k[j * pitch + c];
      scores[static_cast<size_t>(i) * positions + j] = dot * scale;
    }
  }
  // END: products
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads,
                                                                           channels);
}
