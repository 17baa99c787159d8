// ENTRY: unfused
// CLASS: precision
// CAUSE: `auto total = 0` is an int, and so is the sum of squares.
// SAYS: kept in an int
// NEVER: barrier
// HELD: no
// p20: LayerNorm and Linear, unfused and fused.
//
//   out = LayerNorm(x) W^T + bias     x [B,S,H]   gamma, beta [H]   W [O,H]   bias [O]   out [B,S,O]
//   LayerNorm(v) = (v - mean) / sqrt(variance + eps) * gamma + beta, for the H values of each position
//
// Unfused: fill in `layernorm`; transpose, matrix product and bias are given. Four launches.
// Fused: fill in `fused_stats` and `fused_output`: the same answer from one launch and without intermediates.
// A block has a tile of positions, so that each weight it reads is used for all of them.
//
//   grader p20 --unfused     grader p20 --fused     grader p20     grader hint p20     grader lesson p20
//
// All of this file is yours to change, launches too; only the last two functions keep names and parameters.
#include <cuda_runtime.h>

constexpr int kThreads = 128;  // of a block that works on one row
constexpr int kWarps = kThreads / 32;
constexpr int kTile = 32;  // side of the tiles of transpose and product: a warp is as wide
constexpr int kStep =
    8;  // warps of a block that makes a tile; thread (x, y) has rows y, y + kStep, ... of it
constexpr int kEach = kTile / kStep;  // rows of a tile that one thread has

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// The sum of `value` over the block, for each of its threads. All of them must call it: it has barriers.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  value = warp_sum(value);
  __syncthreads();  // someone may still be reading the sums of the last call
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0.0f;
  for (int warp = 0; warp < kWarps; ++warp) total += partial[warp];
  return total;
}

// Unfused, 1 of 4: x [M,H] -> normalized [M,H]. One block of kThreads threads for each of the M = B*S rows.
__global__ void layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                 const float* __restrict__ beta, float* __restrict__ normalized, int hidden,
                                 float eps) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * hidden;
  float* normalized_row = normalized + static_cast<size_t>(blockIdx.x) * hidden;
  // FILL ME IN: layernorm (roughly 11 lines)
  auto total = 0;
  for (int h = threadIdx.x; h < hidden; h += kThreads) total += x_row[h];
  const float mean = block_sum(total) / hidden;
  auto var = 0;
  for (int h = threadIdx.x; h < hidden; h += kThreads) {
    const float diff = x_row[h] - mean;
    var += diff * diff;
  }
  const float rstd = rsqrtf(block_sum(var) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads) {
    normalized_row[h] = (x_row[h] - mean) * rstd * gamma[h] + beta[h];
  }
  // END: layernorm
}

// Unfused, 2 of 4: weight [O,H] -> weight_t [H,O]. Padding keeps the values of a column in different banks.
__global__ void transpose_kernel(const float* __restrict__ weight, float* __restrict__ weight_t, int out_dim,
                                 int hidden) {
  __shared__ float tile[kTile][kTile + 1];
  const int h = blockIdx.x * kTile + threadIdx.x, o = blockIdx.y * kTile + threadIdx.y;
  if (h < hidden && o < out_dim) tile[threadIdx.y][threadIdx.x] = weight[static_cast<size_t>(o) * hidden + h];
  __syncthreads();
  const int to_o = blockIdx.y * kTile + threadIdx.x, to_h = blockIdx.x * kTile + threadIdx.y;
  if (to_h < hidden && to_o < out_dim)
    weight_t[static_cast<size_t>(to_h) * out_dim + to_o] = tile[threadIdx.x][threadIdx.y];
}

// Unfused, 3 of 4: normalized [M,H] times weight_t [H,O] -> product [M,O], a tile of it for each block. A
// value is read once for a whole tile; each thread adds up kEach of its values.
__global__ void matmul_kernel(const float* __restrict__ normalized, const float* __restrict__ weight_t,
                              float* __restrict__ product, int rows, int hidden, int out_dim) {
  __shared__ float a[kTile][kTile], b[kTile][kTile];
  const int first_row = blockIdx.y * kTile, o = blockIdx.x * kTile + threadIdx.x;
  float sum[kEach] = {};
  for (int first_h = 0; first_h < hidden; first_h += kTile) {
    for (int y = threadIdx.y; y < kTile; y += kStep) {
      const int row = first_row + y, h = first_h + threadIdx.x, b_h = first_h + y;
      a[y][threadIdx.x] = row < rows && h < hidden ? normalized[static_cast<size_t>(row) * hidden + h] : 0.0f;
      b[y][threadIdx.x] =
          b_h < hidden && o < out_dim ? weight_t[static_cast<size_t>(b_h) * out_dim + o] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      for (int i = 0; i < kEach; ++i) sum[i] += a[threadIdx.y + kStep * i][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y + kStep * i;
    if (row < rows && o < out_dim) product[static_cast<size_t>(row) * out_dim + o] = sum[i];
  }
}

// Unfused, 4 of 4: product [M,O] + bias [O] -> out [M,O].
__global__ void bias_kernel(const float* __restrict__ product, const float* __restrict__ bias,
                            float* __restrict__ out, int out_dim) {
  const size_t base = static_cast<size_t>(blockIdx.x) * out_dim;
  for (int o = threadIdx.x; o < out_dim; o += blockDim.x) out[base + o] = product[base + o] + bias[o];
}

// weight[first_o + y][first_h + x] -> tile[y][x] for a whole tile, 0 where there is no such weight. All
// threads of the block must call it; it has no barrier. Padding keeps the values of a column in different
// banks.
__device__ void load_weight(float (*tile)[kTile + 1], const float* __restrict__ weight, int first_o,
                            int first_h, int out_dim, int hidden) {
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const int o = first_o + y, h = first_h + threadIdx.x;
    tile[y][threadIdx.x] = o < out_dim && h < hidden ? weight[static_cast<size_t>(o) * hidden + h] : 0.0f;
  }
}

// Fused: one block for each kTile positions; nothing between LayerNorm and Linear leaves the SM.
__global__ void layernorm_linear_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                        const float* __restrict__ beta, const float* __restrict__ weight,
                                        const float* __restrict__ bias, float* __restrict__ out, int rows,
                                        int hidden, int out_dim, float eps) {
  extern __shared__ __align__(16) float normalized[];  // [kTile,width]
  __shared__ float tile[kTile][kTile + 1];             // of the weight
  const int first_row = blockIdx.x * kTile;
  const int width = (hidden + kTile - 1) / kTile * kTile;  // H rounded up to whole tiles
  // Must leave LayerNorm of the block's kTile rows of x in normalized[row][h], and 0 where there is no such
  // row or h. (The barrier behind load_weight is early enough for readers in other warps.)
  // FILL ME IN: fused_stats (roughly 13 lines)
  for (int r = threadIdx.y; r < kTile; r += kStep) {
    const int row = first_row + r;
    const bool valid = row < rows;
    const float* src = x + static_cast<size_t>(row) * hidden;
    float total = 0.0f;
    if (valid)
      for (int h = threadIdx.x; h < hidden; h += kTile) total += src[h];
    const float mean = warp_sum(total) / hidden;
    float squares = 0.0f;
    if (valid)
      for (int h = threadIdx.x; h < hidden; h += kTile) squares += (src[h] - mean) * (src[h] - mean);
    const float rstd = rsqrtf(warp_sum(squares) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += kTile)
      normalized[r * width + h] = valid && h < hidden ? (src[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
  // END: fused_stats
  // Must write out[row][o] for every o of this block's rows, from `normalized`, weight and bias.
  // FILL ME IN: fused_output (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    float acc[kEach] = {};
    for (int first_h = 0; first_h < hidden; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
      __syncthreads();
      for (int k = 0; k < kTile; ++k) {
        const float w = tile[threadIdx.x][k];
        for (int i = 0; i < kEach; ++i) acc[i] += normalized[(threadIdx.y + kStep * i) * width + first_h + k] * w;
      }
      __syncthreads();
    }
    const int o = first_o + threadIdx.x;
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + kStep * i;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = acc[i] + bias[o];
    }
  }
  // END: fused_output
}

void layernorm_linear_unfused(const float* x, const float* gamma, const float* beta, const float* weight,
                              const float* bias, float* out, int batch, int seq, int hidden, int out_dim,
                              float eps) {
  const int rows = batch * seq;
  float *normalized, *weight_t, *product;
  cudaMalloc(&normalized, sizeof(float) * rows * hidden);
  cudaMalloc(&weight_t, sizeof(float) * hidden * out_dim);
  cudaMalloc(&product, sizeof(float) * rows * out_dim);
  const dim3 tile(kTile, kTile);
  const int h_tiles = (hidden + kTile - 1) / kTile, o_tiles = (out_dim + kTile - 1) / kTile;
  const dim3 product_tiles(o_tiles, (rows + kTile - 1) / kTile), warps(kTile, kStep);
  layernorm_kernel<<<rows, kThreads>>>(x, gamma, beta, normalized, hidden, eps);
  transpose_kernel<<<dim3(h_tiles, o_tiles), tile>>>(weight, weight_t, out_dim, hidden);
  matmul_kernel<<<product_tiles, warps>>>(normalized, weight_t, product, rows, hidden, out_dim);
  bias_kernel<<<rows, kThreads>>>(product, bias, out, out_dim);
  cudaFree(product);
  cudaFree(weight_t);
  cudaFree(normalized);
}

void layernorm_linear_fused(const float* x, const float* gamma, const float* beta, const float* weight,
                            const float* bias, float* out, int batch, int seq, int hidden, int out_dim,
                            float eps) {
  const int rows = batch * seq, width = (hidden + kTile - 1) / kTile * kTile;
  const int shared_bytes = static_cast<int>(sizeof(float)) * kTile * width;
  // More than 48 KiB (H > 320, beside the tile) a kernel must ask for; an H100 has 227 KiB, which is H = 1760.
  cudaFuncSetAttribute(layernorm_linear_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  layernorm_linear_kernel<<<(rows + kTile - 1) / kTile, dim3(kTile, kStep), shared_bytes>>>(
      x, gamma, beta, weight, bias, out, rows, hidden, out_dim, eps);
}
