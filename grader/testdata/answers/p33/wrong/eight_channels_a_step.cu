// ENTRY: kernel
// CLASS: tail
// CAUSE: two float4s are taken in each step, and the second may be behind the head
// SAYS: c \+ 1 < quads
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
  if (first_i + kEach <= first_j) return;
  // END: skip

  // Must write scores[i * positions + j] for the thread's i and j, those above the diagonal or not.
  // FILL ME IN: products (roughly 6 lines)
  const int quads = channels / 4;
  for (int i = first_i; i < first_i + kEach && i < positions; ++i) {
    const float4* query = reinterpret_cast<const float4*>(q + i * pitch);
    for (int j = first_j; j < first_j + kEach && j < positions; ++j) {
      const float4* key = reinterpret_cast<const float4*>(k + j * pitch);
      float even = 0.0f, odd = 0.0f;  // two chains of additions, neither waits for the other
      for (int c = 0; c < quads; c += 2) {
        const float4 a = query[c], b = key[c];
        even += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        const float4 d = query[c + 1], e = key[c + 1];
        odd += d.x * e.x + d.y * e.y + d.z * e.z + d.w * e.w;
      }
      scores[static_cast<size_t>(i) * positions + j] = (even + odd) * scale;
    }
  }
  // END: products
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  trimat_kernel<<<dim3(tiles, tiles, batch * heads), dim3(kSide, kSide)>>>(qkv, out, positions, heads,
                                                                           channels);
}
