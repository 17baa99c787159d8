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

// FILL ME IN: kernels (roughly 140 lines)
constexpr unsigned kAll = 0xffffffffu;
constexpr int kWarps = 8;                // of every block
constexpr int kThreads = kWarp * kWarps;
constexpr int kTile = 32;                // side of the product's tiles; queries of a block; keys of a tile
constexpr int kEach = kTile / kWarps;    // rows of a tile that a thread (or, in attention, a warp) has

__device__ float warp_sum(float v) {
#pragma unroll
  for (int step = kWarp / 2; step > 0; step /= 2) v += __shfl_xor_sync(kAll, v, step);
  return v;
}

__device__ float warp_max(float v) {
#pragma unroll
  for (int step = kWarp / 2; step > 0; step /= 2) v = fmaxf(v, __shfl_xor_sync(kAll, v, step));
  return v;
}

__device__ float gelu(float v) {
  return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

// A warp for each position.
__global__ void __launch_bounds__(kThreads)
    layernorm_kernel(const float* __restrict__ in, const float* __restrict__ gamma,
                     const float* __restrict__ beta, float* __restrict__ to, int positions, int channels,
                     float eps) {
  const int lane = threadIdx.x % kWarp, position = blockIdx.x * kWarps + threadIdx.x / kWarp;
  if (position >= positions) return;
  const float* row = in + static_cast<size_t>(position) * channels;
  float sum = 0.0f, squares = 0.0f;
  for (int c = lane; c < channels; c += kWarp) sum += row[c];
  const float mean = warp_sum(sum) / channels;
  for (int c = lane; c < channels; c += kWarp) squares += (row[c] - mean) * (row[c] - mean);
  const float rstd = rsqrtf(warp_sum(squares) / channels + eps);
  float* to_row = to + static_cast<size_t>(position) * channels;
  for (int c = lane; c < channels; c += kWarp) to_row[c] = (row[c] - mean) * rstd * gamma[c] + beta[c];
}

// to [rows,columns] = left [rows,inner] right [inner,columns], and behind it whatever is asked for: a bias (or
// null), GELU, a residual (or null). Threads: 32 x 8; a block has a tile of 32 x 32.
template <bool kGelu>
__global__ void __launch_bounds__(kThreads)
    product_kernel(const float* __restrict__ left, const float* __restrict__ right,
                   const float* __restrict__ bias, const float* __restrict__ residual, float* __restrict__ to,
                   int rows, int inner, int columns) {
  __shared__ float left_tile[kTile][kTile], right_tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int first_row = blockIdx.y * kTile, column = blockIdx.x * kTile + x;
  float sum[kEach] = {};
  for (int first = 0; first < inner; first += kTile) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int at = y + i * kWarps, row = first_row + at;
      left_tile[at][x] =
          row < rows && first + x < inner ? left[static_cast<size_t>(row) * inner + first + x] : 0.0f;
      right_tile[at][x] = first + at < inner && column < columns
                              ? right[static_cast<size_t>(first + at) * columns + column]
                              : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      const float of_right = right_tile[k][x];
#pragma unroll
      for (int i = 0; i < kEach; ++i) sum[i] = fmaf(left_tile[y + i * kWarps][k], of_right, sum[i]);
    }
    __syncthreads();
  }
  if (column >= columns) return;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + y + i * kWarps;
    if (row >= rows) continue;
    const size_t place = static_cast<size_t>(row) * columns + column;
    float value = sum[i];
    if (bias != nullptr) value += bias[column];
    if (kGelu) value = gelu(value);
    if (residual != nullptr) value += residual[place];
    to[place] = value;
  }
}

// Block (x, y, z) has 32 queries of head y of sequence z; each of its warps has four of them. A lane has one key
// of a tile, and of the result the values `lane` and, in wide heads, `lane + 32`.
__global__ void __launch_bounds__(kThreads)
    attention_kernel(const float* __restrict__ qkv, float* __restrict__ mixed, int seq, int channels,
                     int width) {
  __shared__ float queries[kTile][kMostHead], keys[kTile][kMostHead + 1], values[kTile][kMostHead];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int first_query = blockIdx.x * kTile;
  const size_t pitch = 3 * static_cast<size_t>(channels);
  const float* q = qkv + static_cast<size_t>(blockIdx.z) * seq * pitch + static_cast<size_t>(blockIdx.y) * width;
  const float *k = q + channels, *v = k + channels;
  const float scale = 1.0f / sqrtf(static_cast<float>(width));

  for (int r = warp; r < kTile; r += kWarps)
    for (int d = lane; d < width; d += kWarp)
      queries[r][d] = first_query + r < seq ? q[(first_query + r) * pitch + d] * scale : 0.0f;

  float largest[kEach], total[kEach], low[kEach], high[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    largest[i] = -INFINITY;
    total[i] = low[i] = high[i] = 0.0f;
  }

  const int last_query = min(first_query + kTile, seq) - 1;
  for (int first_key = 0; first_key <= last_query; first_key += kTile) {
    __syncthreads();  // the last tile has been used
    for (int r = warp; r < kTile; r += kWarps)
      for (int d = lane; d < kMostHead; d += kWarp) {
        const bool there = first_key + r < seq && d < width;
        keys[r][d] = there ? k[(first_key + r) * pitch + d] : 0.0f;
        values[r][d] = there ? v[(first_key + r) * pitch + d] : 0.0f;
      }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int r = warp * kEach + i;
      float score = 0.0f;
      for (int d = 0; d < width; ++d) score = fmaf(queries[r][d], keys[lane][d], score);
      if (first_key + lane > first_query + r) score = -INFINITY;
      // Key 0 is seen by every query, so from the first tile on the largest is a number.
      const float now = fmaxf(largest[i], warp_max(score));
      const float weight = expf(score - now), factor = expf(largest[i] - now);
      largest[i] = now;
      total[i] = total[i] * factor + warp_sum(weight);
      float more_low = 0.0f, more_high = 0.0f;
      for (int s = 0; s < kTile; ++s) {
        const float of_key = __shfl_sync(kAll, weight, s);
        more_low = fmaf(of_key, values[s][lane], more_low);
        more_high = fmaf(of_key, values[s][lane + kWarp], more_high);
      }
      low[i] = low[i] * factor + more_low;
      if (width > kWarp) high[i] += more_high;
    }
  }

#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int query = first_query + warp * kEach + i;
    if (query >= seq) continue;
    float* to = mixed + (static_cast<size_t>(blockIdx.z) * seq + query) * channels +
                static_cast<size_t>(blockIdx.y) * width;
    if (lane < width) to[lane] = low[i] / total[i];
    if (lane + kWarp < width) to[lane + kWarp] = high[i] / total[i];
  }
}

int over(int count, int each) { return (count + each - 1) / each; }

template <bool kGelu = false>
void product(const float* left, const float* right, const float* bias, const float* residual, float* to, int rows,
             int inner, int columns) {
  const dim3 tiles(over(columns, kTile), over(rows, kTile));
  product_kernel<kGelu>
      <<<tiles, dim3(kWarp, kWarps)>>>(left, right, bias, residual, to, rows, inner, columns);
}
// END: kernels

// x, out: [batch,seq,channels] in the GPU's memory; what lies between them is allocated and freed here.
void transformer_block(const float* x, const float* gamma1, const float* beta1, const float* w_qkv,
                       const float* w_out, const float* gamma2, const float* beta2, const float* w_up,
                       const float* b_up, const float* w_down, const float* b_down, float* out, int batch,
                       int seq, int channels, int heads, float eps) {
  // FILL ME IN: block (roughly 30 lines)
  const int positions = batch * seq;
  const size_t tensor = static_cast<size_t>(positions) * channels;
  // One allocation: normalized (later what attention has made), qkv, h, and the 4C values between up and down.
  // qkv is not needed any more when they are, so they may begin where it does.
  float* room;
  cudaMalloc(&room, sizeof(float) * 6 * tensor);
  float *normalized = room, *h = room + tensor, *qkv = room + 2 * tensor, *wide = qkv;

  layernorm_kernel<<<over(positions, kWarps), kThreads>>>(x, gamma1, beta1, normalized, positions, channels, eps);
  product(normalized, w_qkv, nullptr, nullptr, qkv, positions, channels, 3 * channels);
  attention_kernel<<<dim3(over(seq, kTile), heads, batch), kThreads>>>(qkv, normalized, seq, channels,
                                                                       channels / heads);
  product(normalized, w_out, nullptr, x, h, positions, channels, channels);
  layernorm_kernel<<<over(positions, kWarps), kThreads>>>(h, gamma2, beta2, normalized, positions, channels, eps);
  product<true>(normalized, w_up, b_up, nullptr, wide, positions, channels, 4 * channels);
  product(wide, w_down, b_down, h, out, positions, 4 * channels, channels);
  cudaFree(room);
  // END: block
}
