// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The upper half of wide heads is not scaled where a larger score comes.
// SAYS: high|upper|factor|scaled
// NEVER: race|barrier
// HELD: no
// p40: a whole transformer block, out of kernels that you have written before.
//
//   h   = x + attention(LayerNorm1(x)) w_out              x, h, out [B,T,C]
//   out = h + GELU(LayerNorm2(h) w_up + b_up) w_down + b_down
//
//   LayerNorm(v) = (v - mean) / sqrt(variance + eps) * gamma + beta, for the C values of each position
//   attention    q, k, v = the columns 0 .. C-1, C .. 2C-1, 2C .. 3C-1 of LayerNorm1(x) w_qkv; of each of
//   them
//                head n has the D = C / heads columns from n D on. Within a head and a sequence:
//                result[t] = sum over s <= t of p[t][s] v[s]
//                p[t][s] = softmax over s <= t of (q[t] . k[s]) / sqrt(D)
//   GELU(v)      = 0.5 v (1 + tanh(0.7978845608 (v + 0.044715 v^3)))
//
//   gamma1, beta1, gamma2, beta2, b_down [C]   b_up [4C]   w_qkv [C,3C]   w_out [C,C]   w_up [C,4C]
//   w_down [4C,C]   D is at most 64
//
// Fill in `kernels` and `block`. Nothing is given and nothing is asked for but the answer, nine launches at
// most, and a limit on bytes: which operations share a launch is yours to choose. One kernel for each step of
// the formula is fourteen launches and twice the bytes. Copy what you have: a row per warp (p10, p12),
// products (p14, p19), softmax (p17), bias, GELU and residual (p04, p05).
//
//   grader p40     grader hint p40     grader lesson p40
//
// All of this file is yours to change; only transformer_block keeps its name and parameters.
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kMostHead = 64;  // values of a head, at most

constexpr unsigned kAllLanes = 0xffffffffu;
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;

__device__ float warp_sum(float value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

__device__ float warp_max(float value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, distance));
  return value;
}

__device__ float gelu(float v) {
  return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

// A warp for each row.
__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ to, int rows, int channels,
                     float eps) {
  const int row = blockIdx.x * kWarps + threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  if (row >= rows) return;
  const float* x_row = x + static_cast<size_t>(row) * channels;
  float* to_row = to + static_cast<size_t>(row) * channels;
  float sum = 0.0f, squares = 0.0f;
  for (int c = lane; c < channels; c += kWarp) sum += x_row[c];
  const float mean = warp_sum(sum) / channels;
  for (int c = lane; c < channels; c += kWarp) {
    const float delta = x_row[c] - mean;
    squares += delta * delta;
  }
  const float rstd = rsqrtf(warp_sum(squares) / channels + eps);
  for (int c = lane; c < channels; c += kWarp) to_row[c] = (x_row[c] - mean) * rstd * gamma[c] + beta[c];
}

// What becomes of a finished sum.
enum class End { kNothing, kResidual, kBiasGelu, kBiasResidual };

constexpr int kTile = 64;  // side of a block's tile of the product
constexpr int kStep = 16;  // along k
constexpr int kSide = 16;  // threads in each direction; each has 4 x 4 results, 16 apart
constexpr int kEach = kTile / kSide;

// to [rows, columns] = a [rows, inner] b [inner, columns], and then its end.
template <End kEnd>
__global__ void __launch_bounds__(kThreads)
    product_kernel(const float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ bias,
                   const float* __restrict__ residual, float* __restrict__ to, int rows, int inner,
                   int columns) {
  __shared__ float a_tile[kTile][kStep + 1], b_tile[kStep][kTile];
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  float sum[kEach][kEach] = {};
  for (int first = 0; first < inner; first += kStep) {
    for (int n = threadIdx.x; n < kTile * kStep; n += kThreads) {
      const int r = n / kStep, k = n % kStep;
      a_tile[r][k] = first_row + r < rows && first + k < inner
                         ? a[static_cast<size_t>(first_row + r) * inner + first + k]
                         : 0.0f;
    }
    for (int n = threadIdx.x; n < kStep * kTile; n += kThreads) {
      const int k = n / kTile, c = n % kTile;
      b_tile[k][c] = first + k < inner && first_column + c < columns
                         ? b[static_cast<size_t>(first + k) * columns + first_column + c]
                         : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kStep; ++k) {
      float of_a[kEach], of_b[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        of_a[i] = a_tile[y + i * kSide][k];
        of_b[i] = b_tile[k][x + i * kSide];
      }
#pragma unroll
      for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] += of_a[i] * of_b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + y + i * kSide;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int column = first_column + x + j * kSide;
      if (row >= rows || column >= columns) continue;
      const size_t place = static_cast<size_t>(row) * columns + column;
      float value = sum[i][j];
      if constexpr (kEnd == End::kBiasGelu) value = gelu(value + bias[column]);
      if constexpr (kEnd == End::kBiasResidual) value += bias[column];
      if constexpr (kEnd == End::kBiasResidual || kEnd == End::kResidual) value += residual[place];
      to[place] = value;
    }
  }
}

constexpr int kQueries = 32;                // of a block
constexpr int kOfWarp = kQueries / kWarps;  // of a warp
constexpr int kPitch = kMostHead + 1;

// Block (x, y, z): queries 32 x to 32 x + 31 of head y in sequence z. The keys come in tiles of 32.
__global__ void __launch_bounds__(kThreads)
    attention_kernel(const float* __restrict__ qkv, float* __restrict__ mixed, int seq, int channels,
                     int head_size) {
  __shared__ float q[kQueries][kPitch], k[kWarp][kPitch], v[kWarp][kPitch];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int first_query = blockIdx.x * kQueries;
  const size_t pitch = 3 * static_cast<size_t>(channels);
  const float* base = qkv + static_cast<size_t>(blockIdx.z) * seq * pitch + blockIdx.y * head_size;
  const float scale = 1.0f / sqrtf(static_cast<float>(head_size));

  const auto fetch = [&](float (*tile)[kPitch], int first, int offset) {
    for (int n = threadIdx.x; n < kWarp * kMostHead; n += kThreads) {
      const int t = n / kMostHead, d = n % kMostHead;
      tile[t][d] = first + t < seq && d < head_size ? base[(first + t) * pitch + offset + d] : 0.0f;
    }
  };
  fetch(q, first_query, 0);

  // Of each query: the largest score so far, the sum of the weights, and values lane and lane + 32 of the
  // result.
  float largest[kOfWarp], total[kOfWarp], low[kOfWarp], high[kOfWarp];
#pragma unroll
  for (int n = 0; n < kOfWarp; ++n) {
    largest[n] = -INFINITY;
    total[n] = low[n] = high[n] = 0.0f;
  }

  for (int first_key = 0; first_key <= first_query; first_key += kWarp) {
    fetch(k, first_key, channels);
    fetch(v, first_key, 2 * channels);
    __syncthreads();
#pragma unroll
    for (int n = 0; n < kOfWarp; ++n) {
      const int of_block = warp * kOfWarp + n;
      float score = 0.0f;
      for (int d = 0; d < head_size; ++d) score += q[of_block][d] * k[lane][d];
      score = first_key + lane <= first_query + of_block ? score * scale : -INFINITY;
      const float now = fmaxf(largest[n], warp_max(score));
      const float factor = expf(largest[n] - now), weight = expf(score - now);
      largest[n] = now;
      total[n] = total[n] * factor + warp_sum(weight);
      float add_low = 0.0f, add_high = 0.0f;
      for (int s = 0; s < kWarp; ++s) {
        const float of_key = __shfl_sync(kAllLanes, weight, s);
        add_low += of_key * v[s][lane];
        add_high += of_key * v[s][lane + kWarp];
      }
      low[n] = low[n] * factor + add_low;
      high[n] += add_high;
    }
    __syncthreads();
  }

#pragma unroll
  for (int n = 0; n < kOfWarp; ++n) {
    const int query = first_query + warp * kOfWarp + n;
    if (query >= seq) continue;
    float* to = mixed + (static_cast<size_t>(blockIdx.z) * seq + query) * channels + blockIdx.y * head_size;
    const float share = 1.0f / total[n];
    if (lane < head_size) to[lane] = low[n] * share;
    if (lane + kWarp < head_size) to[lane + kWarp] = high[n] * share;
  }
}

// x, out: [batch,seq,channels] in the GPU's memory; what lies between them is allocated and freed here.
void transformer_block(const float* x, const float* gamma1, const float* beta1, const float* w_qkv,
                       const float* w_out, const float* gamma2, const float* beta2, const float* w_up,
                       const float* b_up, const float* w_down, const float* b_down, float* out, int batch,
                       int seq, int channels, int heads, float eps) {
  const int rows = batch * seq;
  const size_t values = static_cast<size_t>(rows) * channels;
  // One piece of memory for all that lies in between: normalized (and later mixed), h, and room for either
  // q k v or what is between up and down.
  float* room;
  cudaMalloc(&room, sizeof(float) * values * 7);
  float *normalized = room, *mixed = room + values, *h = room + 2 * values, *wide = room + 3 * values;

  const auto tiles = [rows](int columns) {
    return dim3((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  };
  const int row_blocks = (rows + kWarps - 1) / kWarps;

  layernorm_kernel<<<row_blocks, kThreads>>>(x, gamma1, beta1, normalized, rows, channels, eps);
  product_kernel<End::kNothing><<<tiles(3 * channels), kThreads>>>(normalized, w_qkv, nullptr, nullptr, wide,
                                                                   rows, channels, 3 * channels);
  const dim3 queries((seq + kQueries - 1) / kQueries, heads, batch);
  attention_kernel<<<queries, kThreads>>>(wide, mixed, seq, channels, channels / heads);
  product_kernel<End::kResidual>
      <<<tiles(channels), kThreads>>>(mixed, w_out, nullptr, x, h, rows, channels, channels);

  layernorm_kernel<<<row_blocks, kThreads>>>(h, gamma2, beta2, normalized, rows, channels, eps);
  product_kernel<End::kBiasGelu><<<tiles(4 * channels), kThreads>>>(normalized, w_up, b_up, nullptr, wide,
                                                                    rows, channels, 4 * channels);
  product_kernel<End::kBiasResidual>
      <<<tiles(channels), kThreads>>>(wide, w_down, b_down, h, out, rows, 4 * channels, channels);
  cudaFree(room);
}
