// ENTRY: kernel
// CLASS: missing-term
// CAUSE: GELU before the bias is added.
// SAYS: gelu|bias
// NEVER: \brace\b|barrier
// HELD: yes
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
constexpr int kThreads = 256, kTile = 32;

__device__ float sum_of(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
__device__ float largest_of(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

// A warp for each row.
__global__ void norm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                            const float* __restrict__ beta, float* __restrict__ y, int rows, int channels,
                            float eps) {
  const int row = blockIdx.x * (kThreads / kWarp) + threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * channels;
  float sum = 0.0f, squares = 0.0f;
  for (int c = lane; c < channels; c += kWarp) sum += from[c];
  const float mean = sum_of(sum) / channels;
  for (int c = lane; c < channels; c += kWarp) squares += (from[c] - mean) * (from[c] - mean);
  const float rstd = rsqrtf(sum_of(squares) / channels + eps);
  for (int c = lane; c < channels; c += kWarp)
    y[static_cast<size_t>(row) * channels + c] = (from[c] - mean) * rstd * gamma[c] + beta[c];
}

__device__ float gelu(float v) { return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))); }

// y = a w, then bias, GELU and what is added, where they are asked for. a [rows,inner], w [inner,columns].
template <bool kGelu>
__global__ void product_kernel(const float* __restrict__ a, const float* __restrict__ w,
                               const float* __restrict__ bias, const float* added, float* y, int rows, int inner,
                               int columns) {
  __shared__ float a_tile[kTile][kTile + 1], w_tile[kTile][kTile];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int first_row = blockIdx.y * kTile, column = blockIdx.x * kTile + lane;
  float sum[4] = {};
  for (int first = 0; first < inner; first += kTile) {
    for (int n = warp; n < kTile; n += 8) {
      const int row = first_row + n;
      a_tile[n][lane] = row < rows && first + lane < inner ? a[static_cast<size_t>(row) * inner + first + lane] : 0.0f;
      w_tile[n][lane] = first + n < inner && column < columns ? w[static_cast<size_t>(first + n) * columns + column] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      for (int i = 0; i < 4; ++i) sum[i] += a_tile[warp + 8 * i][k] * w_tile[k][lane];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    const int row = first_row + warp + 8 * i;
    if (row >= rows || column >= columns) continue;
    float v = sum[i];
    if (kGelu) v = gelu(v);
    if (bias) v += bias[column];
    if (added) v += added[static_cast<size_t>(row) * columns + column];
    y[static_cast<size_t>(row) * columns + column] = v;
  }
}

// A block has 32 queries of a head, a warp four of them; keys and values come 32 at a time.
__global__ void attention_kernel(const float* __restrict__ qkv, float* __restrict__ y, int seq, int channels,
                                 int heads) {
  __shared__ float q_tile[kTile][kMostHead + 1], k_tile[kTile][kMostHead + 1], v_tile[kTile][kMostHead + 1];
  const int width = channels / heads, lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int first = blockIdx.x * kTile, head = blockIdx.y;
  const size_t pitch = 3 * static_cast<size_t>(channels);
  const float* q = qkv + blockIdx.z * seq * pitch + head * width;
  const float *k = q + channels, *v = k + channels;
  for (int i = threadIdx.x; i < kTile * width; i += kThreads) {
    const int t = first + i / width, d = i % width;
    q_tile[i / width][d] = t < seq ? q[t * pitch + d] : 0.0f;
  }
  const float scale = rsqrtf(static_cast<float>(width));
  float best[4], total[4], low[4], high[4];
  for (int n = 0; n < 4; ++n) {
    best[n] = -INFINITY;
    total[n] = low[n] = high[n] = 0.0f;
  }
  for (int start = 0; start <= first; start += kTile) {
    __syncthreads();
    for (int i = threadIdx.x; i < kTile * width; i += kThreads) {
      const int s = start + i / width, d = i % width;
      k_tile[i / width][d] = s < seq ? k[s * pitch + d] : 0.0f;
      v_tile[i / width][d] = s < seq ? v[s * pitch + d] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const int t = first + warp * 4 + n, s = start + lane;
      if (t >= seq) continue;
      float score = -INFINITY;
      if (s <= t) {
        score = 0.0f;
        for (int d = 0; d < width; ++d) score += q_tile[warp * 4 + n][d] * k_tile[lane][d];
        score *= scale;
      }
      const float larger = fmaxf(best[n], largest_of(score));
      const float shrink = expf(best[n] - larger);
      const float p = expf(score - larger);
      best[n] = larger;
      total[n] = total[n] * shrink + sum_of(p);
      low[n] *= shrink;
      high[n] *= shrink;
      for (int j = 0; j < kTile; ++j) {
        const float other = __shfl_sync(0xffffffffu, p, j);
        if (lane < width) low[n] += other * v_tile[j][lane];
        if (lane + kWarp < width) high[n] += other * v_tile[j][lane + kWarp];
      }
    }
  }
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const int t = first + warp * 4 + n;
    if (t >= seq) continue;
    float* to = y + (static_cast<size_t>(blockIdx.z) * seq + t) * channels + head * width;
    if (lane < width) to[lane] = low[n] / total[n];
    if (lane + kWarp < width) to[lane + kWarp] = high[n] / total[n];
  }
}
// END: kernels

// x, out: [batch,seq,channels] in the GPU's memory; what lies between them is allocated and freed here.
void transformer_block(const float* x, const float* gamma1, const float* beta1, const float* w_qkv,
                       const float* w_out, const float* gamma2, const float* beta2, const float* w_up,
                       const float* b_up, const float* w_down, const float* b_down, float* out, int batch,
                       int seq, int channels, int heads, float eps) {
  // FILL ME IN: block (roughly 30 lines)
  const int rows = batch * seq;
  const size_t plane = static_cast<size_t>(rows) * channels;
  float *normed, *qkv, *mixed, *h, *up;
  cudaMalloc(&normed, sizeof(float) * plane);
  cudaMalloc(&qkv, sizeof(float) * 3 * plane);
  cudaMalloc(&mixed, sizeof(float) * plane);
  cudaMalloc(&h, sizeof(float) * plane);
  cudaMalloc(&up, sizeof(float) * 4 * plane);
  const int norm_blocks = (rows + 7) / 8;
  const auto grid = [&](int columns) { return dim3((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile); };
  norm_kernel<<<norm_blocks, kThreads>>>(x, gamma1, beta1, normed, rows, channels, eps);
  product_kernel<false><<<grid(3 * channels), kThreads>>>(normed, w_qkv, nullptr, nullptr, qkv, rows, channels,
                                                          3 * channels);
  attention_kernel<<<dim3((seq + kTile - 1) / kTile, heads, batch), kThreads>>>(qkv, mixed, seq, channels, heads);
  product_kernel<false><<<grid(channels), kThreads>>>(mixed, w_out, nullptr, x, h, rows, channels, channels);
  norm_kernel<<<norm_blocks, kThreads>>>(h, gamma2, beta2, normed, rows, channels, eps);
  product_kernel<true><<<grid(4 * channels), kThreads>>>(normed, w_up, b_up, nullptr, up, rows, channels, 4 * channels);
  product_kernel<false><<<grid(channels), kThreads>>>(up, w_down, b_down, h, out, rows, 4 * channels, channels);
  cudaFree(up);
  cudaFree(h);
  cudaFree(mixed);
  cudaFree(qkv);
  cudaFree(normed);
  // END: block
}
