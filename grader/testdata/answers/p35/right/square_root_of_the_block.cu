// STYLE: a grid of the lower triangle alone, decoded by a square root
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

constexpr int kSide = 16;            // threads of a block in each direction, though the block has one dimension
constexpr int kOwn = 8;              // results of a thread in each direction
constexpr int kSpan = kSide * kOwn;  // results of a block in each direction

// The n-th tile on or below the diagonal, counted row by row: x is its column, y its row.
//   0
//   1 2
//   3 4 5 ...
__device__ int2 tile_at(int n) {
  int y = static_cast<int>((sqrtf(8.0f * n + 1.0f) - 1.0f) * 0.5f);
  while (y * (y + 1) / 2 > n) --y;  // sqrtf may be off by a little
  while ((y + 1) * (y + 2) / 2 <= n) ++y;
  return make_int2(n - y * (y + 1) / 2, y);
}

__device__ void add_dot(float& sum, const float4& a, const float4& b) {
  sum = fmaf(a.x, b.x, sum);
  sum = fmaf(a.y, b.y, sum);
  sum = fmaf(a.z, b.z, sum);
  sum = fmaf(a.w, b.w, sum);
}

// Grid: (tiles of the triangle, batch * heads). Tiles above the diagonal have no block at all.
__global__ void __launch_bounds__(kSide* kSide)
    triangle_kernel(const float4* __restrict__ qkv, float* __restrict__ out, int positions, int heads,
                    int pieces) {
  const int2 tile = tile_at(blockIdx.x);
  const int i0 = tile.y * kSpan + static_cast<int>(threadIdx.x) / kSide * kOwn;
  const int j0 = tile.x * kSpan + static_cast<int>(threadIdx.x) % kSide * kOwn;
  if (i0 >= positions || j0 >= i0 + kOwn) return;

  const int batch = blockIdx.y / heads, head = blockIdx.y % heads;
  const size_t pitch = static_cast<size_t>(3) * heads * pieces;  // from position to position, in pieces
  const float4* queries = qkv + static_cast<size_t>(batch) * positions * pitch + static_cast<size_t>(head) * pieces;
  const float4* keys = queries + static_cast<size_t>(heads) * pieces;
  const auto row = [=](const float4* base, int position) { return base + min(position, positions - 1) * pitch; };

  const float4 *q[kOwn], *k[kOwn];
#pragma unroll
  for (int n = 0; n < kOwn; ++n) {
    q[n] = row(queries, i0 + n);
    k[n] = row(keys, j0 + n);
  }

  float sum[kOwn][kOwn] = {};
  for (int p = 0; p < pieces; ++p) {
    float4 held[kOwn];  // of the keys; the queries pass by one at a time
#pragma unroll
    for (int b = 0; b < kOwn; ++b) held[b] = k[b][p];
#pragma unroll
    for (int a = 0; a < kOwn; ++a) {
      const float4 passing = q[a][p];
#pragma unroll
      for (int b = 0; b < kOwn; ++b) add_dot(sum[a][b], passing, held[b]);
    }
  }

  const float scale = rsqrtf(4.0f * pieces);
  float* matrix = out + static_cast<size_t>(blockIdx.y) * positions * positions;
  const bool by_fours = positions % 4 == 0;  // then each row of the matrix begins at a multiple of 16 bytes
#pragma unroll
  for (int a = 0; a < kOwn; ++a) {
    const int i = i0 + a;
    if (i >= positions) return;
    float* to = matrix + static_cast<size_t>(i) * positions + j0;
#pragma unroll
    for (int b = 0; b < kOwn; b += 4) {
      const float4 four = {sum[a][b] * scale, sum[a][b + 1] * scale, sum[a][b + 2] * scale,
                           sum[a][b + 3] * scale};
      const int there = i - (j0 + b) + 1;  // how many of the four somebody looks at, or more, or none
      if (by_fours) {
        if (there > 0) *reinterpret_cast<float4*>(to + b) = four;
      } else {
        if (there > 0) to[b] = four.x;
        if (there > 1) to[b + 1] = four.y;
        if (there > 2) to[b + 2] = four.z;
        if (there > 3) to[b + 3] = four.w;
      }
    }
  }
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const int tiles = (positions + kSpan - 1) / kSpan;
  const dim3 grid(tiles * (tiles + 1) / 2, batch * heads);
  triangle_kernel<<<grid, kSide * kSide>>>(reinterpret_cast<const float4*>(qkv), out, positions, heads,
                                           channels / 4);
}
