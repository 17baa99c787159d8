// ENTRY: kernel
// CLASS: pointer
// CAUSE: The tensor between up and down lies over the one that it is made of.
// SAYS: is given .?arena
// NEVER: put __syncthreads
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
namespace ft {

constexpr int kThreads = 256, kWarps = kThreads / kWarp;
constexpr int kTile = 32;  // of a product, in all three directions; and keys of a step of attention

__device__ float reduce_sum(float value) {
  for (int mask = 16; mask; mask >>= 1) value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

__device__ float reduce_max(float value) {
  for (int mask = 16; mask; mask >>= 1) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, mask));
  return value;
}

__global__ void general_layernorm(const float* __restrict__ input, const float* __restrict__ gamma,
                                  const float* __restrict__ beta, float* __restrict__ normed, int m, int n,
                                  float eps) {
  const int lane = threadIdx.x & 31, row = blockIdx.x * kWarps + (threadIdx.x >> 5);
  if (row >= m) return;
  input += static_cast<size_t>(row) * n;
  normed += static_cast<size_t>(row) * n;
  float sum = 0.f, squares = 0.f;
  for (int c = lane; c < n; c += 32) sum += input[c];
  const float mean = reduce_sum(sum) / n;
  for (int c = lane; c < n; c += 32) {
    const float diff = input[c] - mean;
    squares += diff * diff;
  }
  const float rstd = 1.f / sqrtf(reduce_sum(squares) / n + eps);
  for (int c = lane; c < n; c += 32) normed[c] = (input[c] - mean) * rstd * gamma[c] + beta[c];
}

struct Store {
  __device__ float operator()(float v, size_t, int) const { return v; }
};
struct AddResidual {
  const float* residual;
  __device__ float operator()(float v, size_t at, int) const { return v + residual[at]; }
};
struct AddBiasGelu {
  const float* bias;
  __device__ float operator()(float v, size_t, int column) const {
    v += bias[column];
    return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
  }
};
struct AddBiasResidual {
  const float *bias, *residual;
  __device__ float operator()(float v, size_t at, int column) const { return v + bias[column] + residual[at]; }
};

// c[m,n] = after(a[m,k] b[k,n]). A thread has four rows of one column: 32 x 32 from 256.
template <class After>
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k, After after) {
  __shared__ float of_a[kTile][kTile + 1], of_b[kTile][kTile + 1];
  const int tx = threadIdx.x % kTile, ty = threadIdx.x / kTile;
  const int row0 = blockIdx.y * kTile, column = blockIdx.x * kTile + tx;
  float acc[4] = {0.f, 0.f, 0.f, 0.f};
  for (int k0 = 0; k0 < k; k0 += kTile) {
    for (int i = 0; i < 4; ++i) {
      const int r = ty + 8 * i;
      of_a[r][tx] = row0 + r < m && k0 + tx < k ? a[static_cast<size_t>(row0 + r) * k + k0 + tx] : 0.f;
      of_b[r][tx] = k0 + r < k && column < n ? b[static_cast<size_t>(k0 + r) * n + column] : 0.f;
    }
    __syncthreads();
    for (int kk = 0; kk < kTile; ++kk) {
      const float right = of_b[kk][tx];
      for (int i = 0; i < 4; ++i) acc[i] = fmaf(of_a[ty + 8 * i][kk], right, acc[i]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    const int row = row0 + ty + 8 * i;
    if (row < m && column < n) {
      const size_t at = static_cast<size_t>(row) * n + column;
      c[at] = after(acc[i], at, column);
    }
  }
}

// Block: one head of one sequence, and eight queries times four: warp w has the queries w, w + 8, w + 16, w + 24.
__global__ void fused_masked_mha(const float* __restrict__ qkv, float* __restrict__ context, int seq, int channels,
                                 int heads) {
  __shared__ float q[kTile][kMostHead], k[kTile][kMostHead + 1], v[kTile][kMostHead];
  const int size = channels / heads, head = blockIdx.x % heads, sequence = blockIdx.x / heads;
  const int first = blockIdx.y * kTile, lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const size_t pitch = 3 * static_cast<size_t>(channels);
  const float* const here = qkv + static_cast<size_t>(sequence) * seq * pitch + head * size;
  const auto fetch = [&](auto& tile, int from, int which) {
    for (int i = threadIdx.x; i < kTile * kMostHead; i += kThreads) {
      const int t = i / kMostHead, d = i % kMostHead;
      tile[t][d] = from + t < seq && d < size ? here[(from + t) * pitch + which * channels + d] : 0.f;
    }
  };
  fetch(q, first, 0);
  float most[4], total[4], low[4], high[4];
  for (int i = 0; i < 4; ++i) {
    most[i] = -INFINITY;
    total[i] = low[i] = high[i] = 0.f;
  }
  for (int from = 0; from < seq && from <= first; from += kTile) {
    fetch(k, from, 1);
    fetch(v, from, 2);
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
      const int mine = warp + kWarps * i;
      float score = 0.f;
      for (int d = 0; d < size; ++d) score = fmaf(q[mine][d], k[lane][d], score);
      score *= rsqrtf(static_cast<float>(size));
      if (from + lane > first + mine || from + lane >= seq) score = -INFINITY;
      const float higher = fmaxf(most[i], reduce_max(score));
      const float old = expf(most[i] - higher), weight = expf(score - higher);
      most[i] = higher;
      total[i] = total[i] * old + reduce_sum(weight);
      low[i] *= old;
      high[i] *= old;
      for (int s = 0; s < kTile; ++s) {
        const float w = __shfl_sync(0xffffffffu, weight, s);
        low[i] = fmaf(w, v[s][lane], low[i]);
        high[i] = fmaf(w, v[s][lane + kWarp], high[i]);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    const int t = first + warp + kWarps * i;
    if (t >= seq) break;
    float* const to = context + (static_cast<size_t>(sequence) * seq + t) * channels + head * size;
    if (lane < size) to[lane] = low[i] / total[i];
    if (lane + kWarp < size) to[lane + kWarp] = high[i] / total[i];
  }
}

}  // namespace ft
// END: kernels

// x, out: [batch,seq,channels] in the GPU's memory; what lies between them is allocated and freed here.
void transformer_block(const float* x, const float* gamma1, const float* beta1, const float* w_qkv,
                       const float* w_out, const float* gamma2, const float* beta2, const float* w_up,
                       const float* b_up, const float* w_down, const float* b_down, float* out, int batch,
                       int seq, int channels, int heads, float eps) {
  // FILL ME IN: block (roughly 30 lines)
  using namespace ft;
  const int m = batch * seq, c = channels;
  if (m == 0) return;
  const size_t plane = static_cast<size_t>(m) * c;

  // One arena, and tensors that are dead make room for those that come:
  //
  //    plane      0          1       2       3
  //    half 1   [ normed ] [ q       k       v      ]     context takes normed's place, which q k v were made of
  //    half 2   [ up, 4 planes                      ]     q, k, v and context are done with
  float* arena;
  cudaMalloc(&arena, 4 * plane * sizeof(float));
  float* const normed = arena;
  float* const qkv = arena + plane;
  float* const context = arena;
  float* const up = arena;

  const dim3 threads(kThreads);
  const unsigned row_tiles = (m + kTile - 1) / kTile, row_blocks = (m + kWarps - 1) / kWarps;
  const auto column_tiles = [](int n) { return static_cast<unsigned>((n + kTile - 1) / kTile); };

  general_layernorm<<<row_blocks, threads>>>(x, gamma1, beta1, normed, m, c, eps);
  matmul<<<dim3(column_tiles(3 * c), row_tiles), threads>>>(normed, w_qkv, qkv, m, 3 * c, c, Store{});
  fused_masked_mha<<<dim3(batch * heads, (seq + kTile - 1) / kTile), threads>>>(qkv, context, seq, c, heads);
  matmul<<<dim3(column_tiles(c), row_tiles), threads>>>(context, w_out, out, m, c, c, AddResidual{x});
  general_layernorm<<<row_blocks, threads>>>(out, gamma2, beta2, normed, m, c, eps);
  matmul<<<dim3(column_tiles(4 * c), row_tiles), threads>>>(normed, w_up, up, m, 4 * c, c, AddBiasGelu{b_up});
  matmul<<<dim3(column_tiles(c), row_tiles), threads>>>(up, w_down, out, m, c, 4 * c, AddBiasResidual{b_down, out});
  cudaFree(arena);
  // END: block
}
