// ENTRY: kernel
// CLASS: control-flow
// CAUSE: Rows are 16 apart, but the early return takes top + 7 for the last.
// SAYS: kSide|apart|left out of
// NEVER: heads >
// HELD: no
// p35: attention scores, 16 bytes at a time.
//
//   out[b][h][i][j] = sum over c of q[b][i][h][c] * k[b][j][h][c] / sqrt(HS)      for j <= i
//   qkv [B,T,3,NH,HS]: for each position its queries, keys and values of all heads      out [B,NH,T,T]
//
// Above the diagonal (j > i) nobody looks, whatever is there or is not. A thread has 8 x 8 results, as in
// p34. Now it loads four channels of a row with one load, and stores four results of a row with one store
// where that is possible.
//
//   products   all 64 sums, four channels at a time
//   store      write the results that somebody looks at: float4 where rows are aligned, else float
//
//   grader p35     grader hint p35     grader lesson p35
//
// T is anything, HS a multiple of 4; qkv and out begin at multiples of 16 bytes. All of this file is yours to
// change, the launch too (budgets ask for at least 4 x 4 results a thread); only `trimat` keeps its name and
// its parameters.
#include <cuda_runtime.h>

constexpr int kSide = 16;             // threads of a block in each direction
constexpr int kEach = 8;              // results of a thread in each direction
constexpr int kTile = kSide * kEach;  // results of a block in each direction
constexpr int kHalf = kTile / 2;

// A thread's rows are kSide apart: top, top + 16, ... Its columns are two groups of four, kHalf apart, so that
// 16 neighbouring lanes store 256 bytes side by side.
__device__ __forceinline__ int column_of(int b) { return b / 4 * kHalf + b % 4; }

__device__ __forceinline__ void accumulate(float& sum, float4 a, float4 b) {
  sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// One row of a thread's results, four of them: all at once, or those that the triangle has.
template <bool kAligned>
__device__ __forceinline__ void put_four(float* row, int i, int j, const float* four, float scale) {
  if constexpr (kAligned) {
    if (j <= i)
      *reinterpret_cast<float4*>(row + j) =
          make_float4(four[0] * scale, four[1] * scale, four[2] * scale, four[3] * scale);
  } else {
#pragma unroll
    for (int n = 0; n < 4; ++n)
      if (j + n <= i) row[j + n] = four[n] * scale;
  }
}

template <bool kAligned>
__global__ void __launch_bounds__(kSide* kSide)
    scores_kernel(const float* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                  int channels) {
  if (blockIdx.x > blockIdx.y) return;  // nothing of this tile is wanted
  const int top = blockIdx.y * kTile + threadIdx.y;
  const int left = blockIdx.x * kTile + 4 * threadIdx.x;
  // Nothing of this thread's results is wanted: below the last position, or right of its last diagonal element.
  if (top >= positions || left > top + kEach - 1) return;

  const int batch = blockIdx.z / heads, head = blockIdx.z % heads;
  const size_t pitch = 3 * static_cast<size_t>(heads) * channels;
  const float* q = qkv + batch * positions * pitch + static_cast<size_t>(head) * channels;
  const float* k = q + static_cast<size_t>(heads) * channels;
  const int last = positions - 1;

  const float4 *queries[kEach], *keys[kEach];
#pragma unroll
  for (int n = 0; n < kEach; ++n) {
    queries[n] = reinterpret_cast<const float4*>(q + min(top + n * kSide, last) * pitch);
    keys[n] = reinterpret_cast<const float4*>(k + min(left + column_of(n), last) * pitch);
  }

  float sum[kEach][kEach] = {};
  for (int p = 0; p < channels / 4; ++p) {
    float4 query[kEach];
#pragma unroll
    for (int a = 0; a < kEach; ++a) query[a] = queries[a][p];
#pragma unroll
    for (int b = 0; b < kEach; ++b) {
      const float4 key = keys[b][p];
#pragma unroll
      for (int a = 0; a < kEach; ++a) accumulate(sum[a][b], query[a], key);
    }
  }

  const float scale = 1.0f / sqrtf(static_cast<float>(channels));
  float* scores = out + static_cast<size_t>(blockIdx.z) * positions * positions;
#pragma unroll
  for (int a = 0; a < kEach; ++a) {
    const int i = top + a * kSide;
    if (i >= positions) break;
    float* row = scores + static_cast<size_t>(i) * positions;
    put_four<kAligned>(row, i, left, sum[a], scale);
    put_four<kAligned>(row, i, left + kHalf, sum[a] + 4, scale);
  }
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kTile - 1) / kTile;
  const dim3 grid(tiles, tiles, batch * heads), block(kSide, kSide);
  if (positions % 4 == 0)  // then all rows of out begin at multiples of 16 bytes
    scores_kernel<true><<<grid, block>>>(qkv, out, positions, heads, channels);
  else
    scores_kernel<false><<<grid, block>>>(qkv, out, positions, heads, channels);
}
