// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Where a larger maximum comes the lower half of a head is scaled and the upper is not.
// SAYS: high\[i\] \*= factor
// NEVER: race|barrier
// HELD: no
// p40: a whole transformer block, out of kernels that you have written before.
//
//   h   = x + attention(LayerNorm1(x)) w_out              x, h, out [B,T,C]
//   out = h + GELU(LayerNorm2(h) w_up + b_up) w_down + b_down
//
// Seven launches:
//
//   1  LayerNorm1                a warp for each row
//   2  q, k, v                   one product with 3C columns
//   3  attention                 scores, softmax and values in one kernel, nothing of it in memory
//   4  w_out, + x                the residual at the end of the product
//   5  LayerNorm2
//   6  w_up, + b_up, GELU        at the end of the product
//   7  w_down, + b_down, + h     at the end of the product
#include <cuda_runtime.h>

#include <cfloat>

constexpr int kWarp = 32;
constexpr int kMostHead = 64;  // values of a head, at most
constexpr unsigned kAllLanes = 0xffffffffu;

__device__ __forceinline__ float warp_sum(float value) {
  for (int d = kWarp / 2; d > 0; d /= 2) value += __shfl_xor_sync(kAllLanes, value, d);
  return value;
}

__device__ __forceinline__ float warp_max(float value) {
  for (int d = kWarp / 2; d > 0; d /= 2) value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, d));
  return value;
}

// ---------------------------------------------------------------------------------------------- LayerNorm

constexpr int kRowsPerBlock = 8;

// x, out: [rows,channels]. Thread (x, y) is lane x of the warp that has the block's y-th row.
__global__ void __launch_bounds__(kWarp* kRowsPerBlock)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ out, int rows, int channels,
                     float eps) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.y;
  if (row >= rows) return;  // a whole warp
  const float* from = x + static_cast<size_t>(row) * channels;
  float* to = out + static_cast<size_t>(row) * channels;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < channels; c += kWarp) sum += from[c];
  const float mean = warp_sum(sum) / channels;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < channels; c += kWarp) squares += (from[c] - mean) * (from[c] - mean);
  const float rstd = rsqrtf(warp_sum(squares) / channels + eps);
  for (int c = threadIdx.x; c < channels; c += kWarp) to[c] = (from[c] - mean) * rstd * gamma[c] + beta[c];
}

// ----------------------------------------------------------------------------------------------- products

constexpr int kTile = 32;
constexpr int kStep = 8;
constexpr int kEach = kTile / kStep;

// What becomes of a sum, at (row, column) of `width` columns, before it is stored.
struct AsItIs {
  __device__ float operator()(float sum, size_t, int) const { return sum; }
};
struct AddResidual {
  const float* residual;
  __device__ float operator()(float sum, size_t at, int) const { return sum + residual[at]; }
};
struct BiasGelu {
  const float* bias;
  __device__ float operator()(float sum, size_t, int column) const {
    const float v = sum + bias[column];
    return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
  }
};
struct BiasResidual {
  const float *bias, *residual;
  __device__ float operator()(float sum, size_t at, int column) const {
    return sum + bias[column] + residual[at];
  }
};

// out [rows,width] = finish(a [rows,inner] w [inner,width]). A block makes a tile of `out`; thread (x, y) of it
// column x and the rows y, y + kStep, ...
template <typename Finish>
__global__ void __launch_bounds__(kTile* kStep)
    product_kernel(const float* __restrict__ a, const float* __restrict__ w, float* __restrict__ out, int rows,
                   int inner, int width, Finish finish) {
  __shared__ float a_tile[kTile][kTile], w_tile[kTile][kTile];
  const int first_row = blockIdx.y * kTile, column = blockIdx.x * kTile + threadIdx.x;
  float sum[kEach] = {};
  for (int first = 0; first < inner; first += kTile) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int y = threadIdx.y + i * kStep;
      const int row = first_row + y, left = first + threadIdx.x, below = first + y;
      a_tile[y][threadIdx.x] =
          row < rows && left < inner ? a[static_cast<size_t>(row) * inner + left] : 0.0f;
      w_tile[y][threadIdx.x] =
          below < inner && column < width ? w[static_cast<size_t>(below) * width + column] : 0.0f;
    }
    __syncthreads();
#pragma unroll 8
    for (int c = 0; c < kTile; ++c) {
      const float factor = w_tile[c][threadIdx.x];
#pragma unroll
      for (int i = 0; i < kEach; ++i) sum[i] += a_tile[threadIdx.y + i * kStep][c] * factor;
    }
    __syncthreads();
  }
  if (column >= width) return;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + threadIdx.y + i * kStep;
    if (row < rows) {
      const size_t at = static_cast<size_t>(row) * width + column;
      out[at] = finish(sum[i], at, column);
    }
  }
}

template <typename Finish>
void product(const float* a, const float* w, float* out, int rows, int inner, int width, Finish finish) {
  const dim3 grid((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  product_kernel<<<grid, dim3(kTile, kStep)>>>(a, w, out, rows, inner, width, finish);
}

// ---------------------------------------------------------------------------------------------- attention

constexpr int kQueries = 32;  // of a block
constexpr int kKeys = kWarp;  // of a tile: one for each lane
constexpr int kPerWarp = kQueries / kStep;

// qkv: [B,T,3C]; out: [B,T,C]. Block (x, n, b) has kQueries positions of head n in sequence b. A warp has
// kPerWarp of them; lane l takes the score with the tile's key l, and of the result the columns l and l + 32.
__global__ void __launch_bounds__(kWarp* kStep)
    attention_kernel(const float* __restrict__ qkv, float* __restrict__ out, int seq, int channels, int width) {
  __shared__ float q_tile[kQueries][kMostHead], k_tile[kKeys][kMostHead + 1], v_tile[kKeys][kMostHead];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int first_query = blockIdx.x * kQueries;
  const size_t pitch = 3 * static_cast<size_t>(channels);
  const float* q = qkv + static_cast<size_t>(blockIdx.z) * seq * pitch + blockIdx.y * width;
  const float* k = q + channels;
  const float* v = k + channels;
  const float scale = 1.0f / sqrtf(static_cast<float>(width));

  for (int n = warp; n < kQueries; n += kStep)
    for (int d = lane; d < kMostHead; d += kWarp)
      q_tile[n][d] = first_query + n < seq && d < width ? q[(first_query + n) * pitch + d] * scale : 0.0f;

  float largest[kPerWarp], total[kPerWarp], low[kPerWarp], high[kPerWarp];
#pragma unroll
  for (int i = 0; i < kPerWarp; ++i) {
    largest[i] = -FLT_MAX;
    total[i] = low[i] = high[i] = 0.0f;
  }

  const int end_key = min(first_query + kQueries, seq);
  for (int first_key = 0; first_key < end_key; first_key += kKeys) {
    for (int n = warp; n < kKeys; n += kStep)
      for (int d = lane; d < kMostHead; d += kWarp) {
        const bool there = first_key + n < seq && d < width;
        k_tile[n][d] = there ? k[(first_key + n) * pitch + d] : 0.0f;
        v_tile[n][d] = there ? v[(first_key + n) * pitch + d] : 0.0f;
      }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kPerWarp; ++i) {
      const int n = warp + i * kStep;
      const bool visible = first_key + lane <= first_query + n && first_key + lane < seq;
      float score = 0.0f;
      for (int d = 0; d < width; ++d) score += q_tile[n][d] * k_tile[lane][d];

      const float top = fmaxf(largest[i], warp_max(visible ? score : -FLT_MAX));
      const float weight = visible ? expf(score - top) : 0.0f;
      const float factor = expf(largest[i] - top);  // mends what was added up around the old maximum
      largest[i] = top;
      total[i] = total[i] * factor + warp_sum(weight);
      low[i] *= factor;
      for (int key = 0; key < kKeys; ++key) {
        const float share = __shfl_sync(kAllLanes, weight, key);
        low[i] += share * v_tile[key][lane];
        high[i] += share * v_tile[key][lane + kWarp];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kPerWarp; ++i) {
    const int t = first_query + warp + i * kStep;
    if (t >= seq) continue;
    float* to = out + (static_cast<size_t>(blockIdx.z) * seq + t) * channels + blockIdx.y * width;
    if (lane < width) to[lane] = low[i] / total[i];
    if (lane + kWarp < width) to[lane + kWarp] = high[i] / total[i];
  }
}

// x, out: [batch,seq,channels] in the GPU's memory; what lies between them is allocated and freed here.
void transformer_block(const float* x, const float* gamma1, const float* beta1, const float* w_qkv,
                       const float* w_out, const float* gamma2, const float* beta2, const float* w_up,
                       const float* b_up, const float* w_down, const float* b_down, float* out, int batch,
                       int seq, int channels, int heads, float eps) {
  const int rows = batch * seq;
  if (rows == 0 || channels == 0) return;
  const size_t one = sizeof(float) * static_cast<size_t>(rows) * channels;  // bytes of a tensor like x
  float *normalized, *qkv, *attended, *h, *wide;
  cudaMalloc(&normalized, one);
  cudaMalloc(&qkv, 3 * one);
  cudaMalloc(&attended, one);
  cudaMalloc(&h, one);
  cudaMalloc(&wide, 4 * one);

  const int row_blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  const dim3 row_threads(kWarp, kRowsPerBlock);
  const dim3 query_blocks((seq + kQueries - 1) / kQueries, heads, batch);

  layernorm_kernel<<<row_blocks, row_threads>>>(x, gamma1, beta1, normalized, rows, channels, eps);
  product(normalized, w_qkv, qkv, rows, channels, 3 * channels, AsItIs{});
  attention_kernel<<<query_blocks, dim3(kWarp, kStep)>>>(qkv, attended, seq, channels, channels / heads);
  product(attended, w_out, h, rows, channels, channels, AddResidual{x});
  layernorm_kernel<<<row_blocks, row_threads>>>(h, gamma2, beta2, normalized, rows, channels, eps);
  product(normalized, w_up, wide, rows, channels, 4 * channels, BiasGelu{b_up});
  product(wide, w_down, out, rows, 4 * channels, channels, BiasResidual{b_down, h});

  cudaFree(wide);
  cudaFree(h);
  cudaFree(attended);
  cudaFree(qkv);
  cudaFree(normalized);
}
