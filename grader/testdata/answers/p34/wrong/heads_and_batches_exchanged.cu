// ENTRY: kernel
// CLASS: index
// CAUSE: blockIdx.z is batch * heads + head, but read as head * batches + batch.
// SAYS: heads.*batches
// NEVER: race|barrier
// HELD: no
// p34: attention scores from outer products: what is loaded once is used eight times.
//
//   out[b][h][i][j] = sum over c of q[b][i][h][c] * k[b][j][h][c] / sqrt(HS)      for j <= i
//   qkv [B,T,3,NH,HS]: for each position its queries, keys and values of all heads      out [B,NH,T,T]
//
// Above the diagonal (j > i) nobody looks, whatever is there or is not. A thread has 8 x 8 results, as in
// p33. Now all 64 sums grow together: for each channel load 8 values of q and 8 of k into registers, and
// add their 64 products, one to each sum.
//
//   products   all 64 sums, channel by channel
//   store      write those of them that somebody looks at
//
//   grader p34     grader hint p34     grader lesson p34
//
// T is anything, HS a multiple of 4. All of this file is yours to change, the launch too (a budget on bytes
// asks for at least 4 x 4 results a thread); only `trimat` keeps its name and its parameters.
#include <cuda_runtime.h>

constexpr int kThreadsX = 16, kThreadsY = 16;
constexpr int kI = 4, kJ = 4;  // results of a thread, adjacent
constexpr int kTileI = kThreadsY * kI, kTileJ = kThreadsX * kJ;

__device__ __forceinline__ void add_products(float& sum, const float4& a, const float4& b) {
  sum = fmaf(a.x, b.x, sum);
  sum = fmaf(a.y, b.y, sum);
  sum = fmaf(a.z, b.z, sum);
  sum = fmaf(a.w, b.w, sum);
}

// 4 x 4 results a thread, four channels at a time.
__global__ void __launch_bounds__(kThreadsX* kThreadsY)
    scores_kernel(const float* __restrict__ qkv, float* __restrict__ out, int batches, int positions, int heads,
                  int channels) {
  const int i0 = blockIdx.y * kTileI + threadIdx.y * kI;
  const int j0 = blockIdx.x * kTileJ + threadIdx.x * kJ;
  if (i0 >= positions || j0 >= i0 + kI) return;

  const int batch = blockIdx.z % batches, head = blockIdx.z / batches;
  const size_t of_position = 3 * static_cast<size_t>(heads) * channels;
  const float* queries = qkv + batch * positions * of_position + static_cast<size_t>(head) * channels;
  const float* keys = queries + static_cast<size_t>(heads) * channels;

  const float4 *query[kI], *key[kJ];
#pragma unroll
  for (int a = 0; a < kI; ++a)
    query[a] = reinterpret_cast<const float4*>(queries + min(i0 + a, positions - 1) * of_position);
#pragma unroll
  for (int b = 0; b < kJ; ++b)
    key[b] = reinterpret_cast<const float4*>(keys + min(j0 + b, positions - 1) * of_position);

  float sum[kI][kJ] = {};
  for (int quad = 0; quad < channels / 4; ++quad) {
    float4 a4[kI], b4[kJ];
#pragma unroll
    for (int a = 0; a < kI; ++a) a4[a] = query[a][quad];
#pragma unroll
    for (int b = 0; b < kJ; ++b) b4[b] = key[b][quad];
#pragma unroll
    for (int a = 0; a < kI; ++a)
#pragma unroll
      for (int b = 0; b < kJ; ++b) add_products(sum[a][b], a4[a], b4[b]);
  }

  const float scale = rsqrtf(static_cast<float>(channels));
  float* matrix = out + static_cast<size_t>(blockIdx.z) * positions * positions;
#pragma unroll
  for (int a = 0; a < kI; ++a) {
    const int i = i0 + a;
    if (i >= positions) break;
#pragma unroll
    for (int b = 0; b < kJ; ++b)
      if (j0 + b <= i) matrix[static_cast<size_t>(i) * positions + j0 + b] = sum[a][b] * scale;
  }
}

void trimat(const float* qkv, float* out, int batch, int positions, int heads, int channels) {
  const dim3 grid((positions + kTileJ - 1) / kTileJ, (positions + kTileI - 1) / kTileI, batch * heads);
  scores_kernel<<<grid, dim3(kThreadsX, kThreadsY)>>>(qkv, out, batch, positions, heads, channels);
}
