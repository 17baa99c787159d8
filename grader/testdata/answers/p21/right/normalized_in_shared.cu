// STYLE: p20's fused kernel: one launch and nothing folded at all
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

// weight[first_o + y][first_h + x] -> tile[y][x] for a whole tile, 0 where there is no such weight. All
// threads of the block must call it; it has no barrier. Padding keeps the values of a column in different
// banks.
__device__ void load_weight(float (*tile)[kTile + 1], const float* __restrict__ weight, int first_o,
                            int first_h, int out_dim, int hidden) {
  // FILL ME IN: fold (roughly 4 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {
    const int o = first_o + y, h = first_h + threadIdx.x;
    tile[y][threadIdx.x] = o < out_dim && h < hidden ? weight[static_cast<size_t>(o) * hidden + h] : 0.0f;
  }
  // END: fold
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
  // FILL ME IN: statistics (roughly 13 lines)
  for (int y = threadIdx.y; y < kTile; y += kStep) {  // a warp for each position
    const float* x_row = x + static_cast<size_t>(first_row + y) * hidden;
    const int count = first_row + y < rows ? hidden : 0;
    float sum = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) sum += x_row[h];
    const float mean = warp_sum(sum) / hidden;
    float squares = 0.0f;
    for (int h = threadIdx.x; h < count; h += 32) squares += (x_row[h] - mean) * (x_row[h] - mean);
    const float rstd = rsqrtf(warp_sum(squares) / hidden + eps);
    for (int h = threadIdx.x; h < width; h += 32)
      normalized[y * width + h] = h < count ? (x_row[h] - mean) * rstd * gamma[h] + beta[h] : 0.0f;
  }
  // END: statistics
  // Must write out[row][o] for every o of this block's rows, from `normalized`, weight and bias.
  // FILL ME IN: epilogue (roughly 15 lines)
  for (int first_o = 0; first_o < out_dim; first_o += kTile) {
    const int o = first_o + threadIdx.x;
    float sum[kEach] = {};
    for (int first_h = 0; first_h < width; first_h += kTile) {
      load_weight(tile, weight, first_o, first_h, out_dim, hidden);
      __syncthreads();  // other warps are about to read what this one wrote
      for (int k = 0; k < kTile; ++k)
        for (int i = 0; i < kEach; ++i)
          sum[i] += normalized[(threadIdx.y + kStep * i) * width + first_h + k] * tile[threadIdx.x][k];
      __syncthreads();  // the next tile of the weight goes where this one was
    }
    for (int i = 0; i < kEach; ++i) {
      const int row = first_row + threadIdx.y + kStep * i;
      if (row < rows && o < out_dim) out[static_cast<size_t>(row) * out_dim + o] = sum[i] + bias[o];
    }
  }
  // END: epilogue
}

void layernorm_linear_folded(const float* x, const float* gamma, const float* beta, const float* weight,
                            const float* bias, float* out, int batch, int seq, int hidden, int out_dim,
                            float eps) {
  const int rows = batch * seq, width = (hidden + kTile - 1) / kTile * kTile;
  const int shared_bytes = static_cast<int>(sizeof(float)) * kTile * width;
  // More than 48 KiB (H > 320, beside the tile) a kernel must ask for; an H100 has 227 KiB, which is H = 1760.
  cudaFuncSetAttribute(layernorm_linear_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  layernorm_linear_kernel<<<(rows + kTile - 1) / kTile, dim3(kTile, kStep), shared_bytes>>>(
      x, gamma, beta, weight, bias, out, rows, hidden, out_dim, eps);
}
