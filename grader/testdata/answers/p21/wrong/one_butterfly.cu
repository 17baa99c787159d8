// ENTRY: kernel
// CLASS: index
// CAUSE: A shuffle gives what the other lane passed: each half has to pass the sum that the other goes on with.
// SAYS: rs : sh
// NEVER: barrier
// HELD: no
// p21: LayerNorm and Linear as one ordinary matrix product, with nothing normalised before it.
//
//   out = LayerNorm(x) W^T + bias     x [M,H], M = B S   gamma, beta [H]   W [O,H]   bias [O]   out [M,O]
//
// p20's last question: how can the product be an ordinary one, if LayerNorm stands before it? Write LayerNorm
// out, and take everything that does not depend on the h of the sum out of the sum:
//
//   folded[o][h] = gamma[h] W[o][h]
//   row_sum[o] = sum over h of folded[o][h]        shift[o] = bias[o] + sum over h of beta[h] W[o][h]
//   out[m][o] = rstd[m] (sum over h of x[m][h] folded[o][h] - mean[m] row_sum[o]) + shift[o]
//
//   fold        a row of W: its folded weights, its row_sum, its shift
//   statistics  mean and rstd of a row of x
//   epilogue    from the sums of a thread, which the product has left in registers, to `out`
//
//   grader p21     grader hint p21     grader lesson p21
//
// The product between them is given. All of this file is yours to change, launches too (a budget on bytes
// asks for tiles at least 32 wide); only the last function keeps its name and parameters.
#include <cuda_runtime.h>

constexpr int kWarps = 4;               // of a block that works on rows, each warp on one
constexpr int kTile = 64;               // rows and columns of `out` that a block of the product makes
constexpr int kDeep = 16;               // values of h in a pair of tiles
constexpr int kEach = 4;                // rows and columns of `out` that a thread makes: 16 sums
constexpr int kAcross = kTile / kEach;  // threads along a tile, and down it
constexpr int kThreads = kAcross * kAcross;
constexpr int kPitch = kTile + 4;  // of a tile: keeps float4 aligned, and lanes that fill it in other banks

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// weight, folded: [O,H]; gamma, beta: [H]; bias, row_sum, shift: [O]. A warp for each output.
__global__ void fold_kernel(const float* __restrict__ weight, const float* __restrict__ gamma,
                            const float* __restrict__ beta, const float* __restrict__ bias,
                            float* __restrict__ folded, float* __restrict__ row_sum,
                            float* __restrict__ shift, int hidden, int out_dim) {
  const int o = blockIdx.x * kWarps + threadIdx.x / 32;
  [[maybe_unused]] const int lane = threadIdx.x % 32;
  if (o >= out_dim) return;  // the whole warp
  [[maybe_unused]] const float* weight_row = weight + static_cast<size_t>(o) * hidden;
  [[maybe_unused]] float* folded_row = folded + static_cast<size_t>(o) * hidden;
  // Must write folded_row, row_sum[o] and shift[o].
  // FILL ME IN: fold (roughly 13 lines)
  float rs = 0.0f, sh = 0.0f;
  for (int h = lane; h < hidden; h += 32) {
    const float w = weight_row[h], f = gamma[h] * w;
    folded_row[h] = f;
    rs += f;
    sh += beta[h] * w;
  }
  // Two sums for the price of one butterfly: lanes 0 to 15 finish row_sum, lanes 16 to 31 finish the shift.
  const bool upper = lane & 16;
  float acc = upper ? sh : rs;
  acc += __shfl_xor_sync(0xffffffffu, acc, 16);
#pragma unroll
  for (int d = 8; d; d >>= 1) acc += __shfl_xor_sync(0xffffffffu, acc, d);
  if (lane == 0) row_sum[o] = acc;
  if (lane == 16) shift[o] = acc + bias[o];
  // END: fold
}

// x: [M,H]; mean, rstd: [M]. A warp for each row.
__global__ void statistics_kernel(const float* __restrict__ x, float* __restrict__ mean,
                                  float* __restrict__ rstd, int rows, int hidden,
                                  [[maybe_unused]] float eps) {
  const int row = blockIdx.x * kWarps + threadIdx.x / 32;
  [[maybe_unused]] const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  [[maybe_unused]] const float* x_row = x + static_cast<size_t>(row) * hidden;
  // Must write mean[row] and rstd[row].
  // FILL ME IN: statistics (roughly 12 lines)
  // Two passes: the mean first, then the squares around it.
  float t = 0.0f;
  for (int h = lane; h < hidden; h += 32) t += x_row[h];
  const float mu = warp_sum(t) / hidden;
  t = 0.0f;
  for (int h = lane; h < hidden; h += 32) {
    const float d = x_row[h] - mu;
    t = fmaf(d, d, t);
  }
  t = warp_sum(t);
  if (!lane) {
    mean[row] = mu;
    rstd[row] = rsqrtf(t / hidden + eps);
  }
  // END: statistics
}

// Given: a tile is kTile rows of kDeep values, of which a thread has kPieces, two rows and two h. Eight lanes
// have a sector of one row and the next eight the next row's: all of each sector is used, and no bank twice.
constexpr int kPieces = kTile * kDeep / kThreads, kRowStep = kThreads / 8;

// This thread's pieces of a tile, 0 where there is none: `from` is the first value of the tile, and behind it
// there are so many rows, and so many values of h in each.
__device__ void fetch(float (&pieces)[kPieces], const float* __restrict__ from, int rows_left, int h_left,
                      int hidden) {
#pragma unroll
  for (int i = 0; i < kPieces; ++i) {
    const int r = threadIdx.x / 8 + i / 2 * kRowStep, k = threadIdx.x % 8 + i % 2 * 8;
    const bool there = r < rows_left && k < h_left;
    const float value = from[there ? r * hidden + k : 0];  // no branch, so that all loads wait together
    pieces[i] = there ? value : 0.0f;
  }
}

// Puts them into the tile, which lies on its side: tile[k][r].
__device__ void put(float (*tile)[kPitch], const float (&pieces)[kPieces]) {
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    tile[threadIdx.x % 8 + i % 2 * 8][threadIdx.x / 8 + i / 2 * kRowStep] = pieces[i];
}

// The product of x [M,H] with the transpose of folded [O,H], as any product of matrices: it knows nothing of
// LayerNorm before its last lines. A thread has kEach x kEach sums: 8 values that it reads from the tiles
// serve 16 products.
__global__ void __launch_bounds__(kThreads)
    product_kernel(const float* __restrict__ x, const float* __restrict__ folded,
                   const float* __restrict__ row_sum, const float* __restrict__ shift,
                   const float* __restrict__ mean, const float* __restrict__ rstd, float* __restrict__ out,
                   int rows, int hidden, int out_dim) {
  __shared__ __align__(16) float x_tile[kDeep][kPitch], w_tile[kDeep][kPitch];
  const int across = threadIdx.x % kAcross, down = threadIdx.x / kAcross;
  const int first_row = blockIdx.y * kTile, first_o = blockIdx.x * kTile;
  const float* x_from = x + static_cast<size_t>(first_row) * hidden;
  const float* w_from = folded + static_cast<size_t>(first_o) * hidden;
  float of_x[kPieces], of_w[kPieces], sum[kEach][kEach] = {};
  for (int first_h = 0; first_h < hidden; first_h += kDeep) {
    fetch(of_x, x_from + first_h, rows - first_row, hidden - first_h, hidden);
    fetch(of_w, w_from + first_h, out_dim - first_o, hidden - first_h, hidden);
    put(x_tile, of_x);
    put(w_tile, of_w);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      const float4 four = *reinterpret_cast<const float4*>(&x_tile[k][kEach * down]);
      const float xs[kEach] = {four.x, four.y, four.z, four.w};
      for (int j = 0; j < kEach; ++j) {
        const float w = w_tile[k][across + kAcross * j];
        for (int i = 0; i < kEach; ++i) sum[i][j] += xs[i] * w;
      }
    }
    __syncthreads();
  }
  // sum[i][j] is the product for row first_row + kEach * down + i and output first_o + across + kAcross * j.
  // Must write out[row][o] for each of them, where there is such a row and such an output.
  // FILL ME IN: epilogue (roughly 9 lines)
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int r = first_row + kEach * down + i;
    if (r >= rows) break;
    const float mu = mean[r], scale = rstd[r];
    float* to = out + static_cast<size_t>(r) * out_dim;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int o = first_o + across + kAcross * j;
      if (o < out_dim) to[o] = scale * (sum[i][j] - mu * row_sum[o]) + shift[o];
    }
  }
  // END: epilogue
}

void layernorm_linear_folded(const float* x, const float* gamma, const float* beta, const float* weight,
                             const float* bias, float* out, int batch, int seq, int hidden, int out_dim,
                             float eps) {
  const int rows = batch * seq;
  float *folded, *row_sum, *shift, *mean, *rstd;
  cudaMalloc(&folded, sizeof(float) * out_dim * hidden);
  cudaMalloc(&row_sum, sizeof(float) * out_dim);
  cudaMalloc(&shift, sizeof(float) * out_dim);
  cudaMalloc(&mean, sizeof(float) * rows);
  cudaMalloc(&rstd, sizeof(float) * rows);
  const dim3 tiles((out_dim + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  fold_kernel<<<(out_dim + kWarps - 1) / kWarps, 32 * kWarps>>>(weight, gamma, beta, bias, folded, row_sum,
                                                                shift, hidden, out_dim);
  statistics_kernel<<<(rows + kWarps - 1) / kWarps, 32 * kWarps>>>(x, mean, rstd, rows, hidden, eps);
  product_kernel<<<tiles, kThreads>>>(x, folded, row_sum, shift, mean, rstd, out, rows, hidden, out_dim);
  cudaFree(rstd);
  cudaFree(mean);
  cudaFree(shift);
  cudaFree(row_sum);
  cudaFree(folded);
}
