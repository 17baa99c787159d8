// ENTRY: kernel
// CLASS: launch-shape
// CAUSE: the grid has heads and sequences in the other order than the kernel takes them
// SAYS: y and z exchanged
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
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

constexpr int kWarps = 8;
constexpr int kThreads = kWarps * kWarp;  // of every block
constexpr int kTile = 32;                 // side of all tiles
constexpr int kEach = kTile / kWarps;     // rows of a tile that a warp has, kWarps apart

// x -> y [rows, channels], a warp for each row.
__global__ void __launch_bounds__(kThreads)
    norm_kernel(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                float* __restrict__ y, int rows, int channels, float eps) {
  const auto warp = cg::tiled_partition<kWarp>(cg::this_thread_block());
  const int row = blockIdx.x * kWarps + warp.meta_group_rank(), lane = warp.thread_rank();
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * channels;
  float* to = y + static_cast<size_t>(row) * channels;
  float sum = 0.0f, squares = 0.0f;
  for (int c = lane; c < channels; c += kWarp) sum += from[c];
  const float mean = cg::reduce(warp, sum, cg::plus<float>()) / channels;
  for (int c = lane; c < channels; c += kWarp) squares += (from[c] - mean) * (from[c] - mean);
  const float rstd = rsqrtf(cg::reduce(warp, squares, cg::plus<float>()) / channels + eps);
  for (int c = lane; c < channels; c += kWarp) to[c] = (from[c] - mean) * rstd * gamma[c] + beta[c];
}

// What a product does with a value before it is stored.
struct Plain {
  __device__ float operator()(float value, size_t, int) const { return value; }
};
struct AddResidual {
  const float* residual;
  __device__ float operator()(float value, size_t place, int) const { return value + residual[place]; }
};
struct BiasGelu {
  const float* bias;
  __device__ float operator()(float value, size_t, int column) const {
    const float v = value + bias[column];
    return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
  }
};
struct BiasResidual {
  const float *bias, *residual;
  __device__ float operator()(float value, size_t place, int column) const {
    return value + bias[column] + residual[place];
  }
};

// out = end(a b): a [rows, inner], b [inner, columns]. Block (x, y): rows of tile x, columns of tile y.
template <typename End>
__global__ void __launch_bounds__(kThreads)
    product_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int rows,
                   int inner, int columns, End end) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int first_row = blockIdx.x * kTile, column = blockIdx.y * kTile + lane;
  float sum[kEach] = {};
  for (int first = 0; first < inner; first += kTile) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int y = warp + i * kWarps, row = first_row + y;
      a_tile[y][lane] =
          row < rows && first + lane < inner ? a[static_cast<size_t>(row) * inner + first + lane] : 0.0f;
      b_tile[y][lane] =
          first + y < inner && column < columns ? b[static_cast<size_t>(first + y) * columns + column] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      const float of_b = b_tile[k][lane];
#pragma unroll
      for (int i = 0; i < kEach; ++i) sum[i] = fmaf(a_tile[warp + i * kWarps][k], of_b, sum[i]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + warp + i * kWarps;
    if (row < rows && column < columns) {
      const size_t place = static_cast<size_t>(row) * columns + column;
      out[place] = end(sum[i], place, column);
    }
  }
}

// qkv [batch, seq, 3 channels] -> mixed [batch, seq, channels]: a block for kTile queries of one head.
__global__ void __launch_bounds__(kThreads)
    attention_kernel(const float* __restrict__ qkv, float* __restrict__ mixed, int seq, int channels,
                     int width) {
  __shared__ float q_tile[kTile][kMostHead], k_tile[kTile][kMostHead + 1], v_tile[kTile][kMostHead];
  const auto team = cg::tiled_partition<kWarp>(cg::this_thread_block());
  const int lane = team.thread_rank(), warp = team.meta_group_rank();
  const int first_query = blockIdx.x * kTile;
  const size_t first_position = static_cast<size_t>(blockIdx.y) * seq;
  const int first_channel = blockIdx.z * width;
  const size_t pitch = 3 * static_cast<size_t>(channels);
  const float* q = qkv + first_position * pitch + first_channel;
  const float* k = q + channels;
  const float* v = k + channels;
  const auto value_at = [=](const float* matrix, int position, int d) {
    return position < seq && d < width ? matrix[position * pitch + d] : 0.0f;
  };
  for (int y = warp; y < kTile; y += kWarps)
    for (int d = lane; d < kMostHead; d += kWarp) q_tile[y][d] = value_at(q, first_query + y, d);

  const float scale = 1.0f / sqrtf(static_cast<float>(width));
  float largest[kEach], total[kEach], low[kEach], high[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    largest[i] = -INFINITY;
    total[i] = low[i] = high[i] = 0.0f;
  }
  const int end = min(first_query + kTile, seq);
  for (int first_key = 0; first_key < end; first_key += kTile) {
    for (int y = warp; y < kTile; y += kWarps)
      for (int d = lane; d < kMostHead; d += kWarp) {
        k_tile[y][d] = value_at(k, first_key + y, d);
        v_tile[y][d] = value_at(v, first_key + y, d);
      }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int y = warp + i * kWarps, key = first_key + lane;
      float score = 0.0f;
      for (int d = 0; d < width; ++d) score = fmaf(q_tile[y][d], k_tile[lane][d], score);
      score = key <= first_query + y && key < seq ? score * scale : -INFINITY;
      const float now = fmaxf(largest[i], cg::reduce(team, score, cg::greater<float>()));
      const float weight = expf(score - now), factor = expf(largest[i] - now);
      largest[i] = now;
      total[i] = total[i] * factor + cg::reduce(team, weight, cg::plus<float>());
      low[i] *= factor;
      high[i] *= factor;
      for (int s = 0; s < kTile; ++s) {
        const float of_key = team.shfl(weight, s);
        low[i] = fmaf(of_key, v_tile[s][lane], low[i]);
        high[i] = fmaf(of_key, v_tile[s][lane + kWarp], high[i]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int query = first_query + warp + i * kWarps;
    if (query >= seq) continue;
    float* to = mixed + (first_position + query) * channels + first_channel;
    if (lane < width) to[lane] = low[i] / total[i];
    if (lane + kWarp < width) to[lane + kWarp] = high[i] / total[i];
  }
}
// END: kernels

// x, out: [batch,seq,channels] in the GPU's memory; what lies between them is allocated and freed here.
void transformer_block(const float* x, const float* gamma1, const float* beta1, const float* w_qkv,
                       const float* w_out, const float* gamma2, const float* beta2, const float* w_up,
                       const float* b_up, const float* w_down, const float* b_down, float* out, int batch,
                       int seq, int channels, int heads, float eps) {
  // FILL ME IN: block (roughly 30 lines)
  const int rows = batch * seq, wide = 4 * channels;
  const auto parts = [](int all, int each) { return static_cast<unsigned>((all + each - 1) / each); };
  const size_t plane = static_cast<size_t>(rows) * channels;
  float* memory;  // normalized, h: a plane each; qkv and mixed, three and one, in whose place `up` comes later
  cudaMalloc(&memory, sizeof(float) * plane * 6);
  float *normalized = memory, *h = memory + plane, *qkv = memory + 2 * plane, *mixed = memory + 5 * plane;
  float* up = qkv;
  const auto tiles = [&](int columns) { return dim3(parts(rows, kTile), parts(columns, kTile)); };
  const unsigned row_blocks = parts(rows, kWarps);

  norm_kernel<<<row_blocks, kThreads>>>(x, gamma1, beta1, normalized, rows, channels, eps);
  product_kernel<<<tiles(3 * channels), kThreads>>>(normalized, w_qkv, qkv, rows, channels, 3 * channels,
                                                    Plain{});
  const dim3 heads_and_tiles(parts(seq, kTile), heads, batch);
  attention_kernel<<<heads_and_tiles, kThreads>>>(qkv, mixed, seq, channels, channels / heads);
  product_kernel<<<tiles(channels), kThreads>>>(mixed, w_out, h, rows, channels, channels, AddResidual{x});
  norm_kernel<<<row_blocks, kThreads>>>(h, gamma2, beta2, normalized, rows, channels, eps);
  product_kernel<<<tiles(wide), kThreads>>>(normalized, w_up, up, rows, channels, wide, BiasGelu{b_up});
  product_kernel<<<tiles(channels), kThreads>>>(up, w_down, out, rows, wide, channels,
                                                BiasResidual{b_down, h});
  cudaFree(memory);
  // END: block
}
