// ENTRY: kernel
// CLASS: index
// CAUSE: The matrix of a head and a batch is taken to be number head * batches + batch.
// SAYS: blockIdx.z \* gridDim.y
// NEVER: race|barrier
// HELD: no
// p33: attention scores of which only half are looked at.
//
//   out[b][h][i][j] = sum over c of q[b][i][h][c] * k[b][j][h][c] / sqrt(HS)      for j <= i
//   qkv [B,T,3,NH,HS]: for each position its queries, keys and values of all heads      out [B,NH,T,T]
//
// Only blocks that touch the lower triangle are launched, and numbered row by row:
//
//   0
//   1  2
//   3  4  5
//   6  7  8  9      block (x, y, z): the x-th of these tiles, of head y of sequence z
//
// T is anything, HS a multiple of 4.
#include <cuda_runtime.h>

constexpr int kSide = 16;             // threads of a block in each direction
constexpr int kEach = 8;              // results of a thread in each direction
constexpr int kTile = kSide * kEach;  // results of a block in each direction

// Which tile of the triangle the n-th one is: .y from above, .x from the left.
__device__ int2 tile_of_triangle(int n) {
  int line = 0;
  while (n > line) n -= ++line;
  return make_int2(n, line);
}

__device__ float dot(const float* __restrict__ a, const float* __restrict__ b, int channels) {
  float sum = 0.0f;
  for (int c = 0; c < channels; ++c) sum = fmaf(a[c], b[c], sum);
  return sum;
}

__global__ void __launch_bounds__(kSide* kSide)
    trimat_kernel(const float* __restrict__ qkv, float* __restrict__ out, int positions, int channels) {
  const int2 tile = tile_of_triangle(blockIdx.x);
  const int first_i = tile.y * kTile + threadIdx.y * kEach;
  const int first_j = tile.x * kTile + threadIdx.x * kEach;
  if (first_j > first_i + kEach - 1) return;  // all of the thread's results are above the diagonal

  const int heads = gridDim.y;
  const size_t of_all_heads = static_cast<size_t>(heads) * channels;
  const size_t pitch = 3 * of_all_heads;  // from one position to the next
  const float* q = qkv + blockIdx.z * positions * pitch + static_cast<size_t>(blockIdx.y) * channels;
  const float* k = q + of_all_heads;

  const size_t matrix = static_cast<size_t>(blockIdx.y) * gridDim.z + blockIdx.z;
  float* scores = out + matrix * positions * positions;

  const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  const int end_i = min(first_i + kEach, positions), end_j = min(first_j + kEach, positions);
  for (int i = first_i; i < end_i; ++i)
    for (int j = first_j; j < end_j; ++j)
      scores[static_cast<size_t>(i) * positions + j] = dot(q + i * pitch, k + j * pitch, channels) * scale;
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  const dim3 grid(tiles * (tiles + 1) / 2, heads, batch);
  trimat_kernel<<<grid, dim3(kSide, kSide)>>>(qkv, out, positions, channels);
}
