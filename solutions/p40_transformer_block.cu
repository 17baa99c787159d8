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
constexpr unsigned kAllLanes = 0xffffffffu;
constexpr int kThreads = 256;  // of every block
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

// x -> normalized [rows,columns], a warp for each row.
__global__ void layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                 const float* __restrict__ beta, float* __restrict__ normalized, int rows,
                                 int columns, float eps) {
  const int row = blockIdx.x * kWarps + threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  if (row >= rows) return;
  const float* x_row = x + static_cast<size_t>(row) * columns;
  float sum = 0.0f;
  for (int c = lane; c < columns; c += kWarp) sum += x_row[c];
  const float mean = warp_sum(sum) / columns;
  float squares = 0.0f;
  for (int c = lane; c < columns; c += kWarp) squares += (x_row[c] - mean) * (x_row[c] - mean);
  const float rstd = rsqrtf(warp_sum(squares) / columns + eps);
  for (int c = lane; c < columns; c += kWarp)
    normalized[static_cast<size_t>(row) * columns + c] = (x_row[c] - mean) * rstd * gamma[c] + beta[c];
}

__device__ float gelu(float v) {
  return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

// What is done with a product before it is stored: everything that needs one value of it at a time.
struct After {
  const float* bias;      // [columns]; null: none
  bool gelu;              // of what has its bias
  const float* residual;  // like the product, added last; null: none
};

constexpr int kTile = 64;             // rows and columns of a tile of the product
constexpr int kDepth = 16;            // of a and b at a time
constexpr int kSide = 16;             // threads along a side of the tile
constexpr int kEach = kTile / kSide;  // rows and columns that a thread has of it, kSide apart
static_assert(kSide * kSide == kThreads);

// out [rows,columns] = after(a [rows,inner] b [inner,columns]), a tile of it for each block.
__global__ void __launch_bounds__(kThreads)
    product_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out,
                   After after, int rows, int inner, int columns) {
  __shared__ float a_tile[kDepth][kTile + 1], b_tile[kDepth][kTile];
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  float sum[kEach][kEach] = {};
  for (int first = 0; first < inner; first += kDepth) {
    for (int i = threadIdx.x; i < kTile * kDepth; i += kThreads) {
      const int a_row = first_row + i / kDepth, a_column = first + i % kDepth;
      const int b_row = first + i / kTile, b_column = first_column + i % kTile;
      a_tile[i % kDepth][i / kDepth] =
          a_row < rows && a_column < inner ? a[static_cast<size_t>(a_row) * inner + a_column] : 0.0f;
      b_tile[i / kTile][i % kTile] =
          b_row < inner && b_column < columns ? b[static_cast<size_t>(b_row) * columns + b_column] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < kDepth; ++k) {
      float of_a[kEach], of_b[kEach];
      for (int i = 0; i < kEach; ++i) of_a[i] = a_tile[k][y + i * kSide], of_b[i] = b_tile[k][x + i * kSide];
      for (int i = 0; i < kEach; ++i)
        for (int j = 0; j < kEach; ++j) sum[i][j] += of_a[i] * of_b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) {
      const int row = first_row + y + i * kSide, column = first_column + x + j * kSide;
      if (row >= rows || column >= columns) continue;
      const size_t place = static_cast<size_t>(row) * columns + column;
      float value = sum[i][j];
      if (after.bias) value += after.bias[column];
      if (after.gelu) value = gelu(value);
      if (after.residual) value += after.residual[place];
      out[place] = value;
    }
}

constexpr int kQueries = 32;               // of a block; a warp has kQueries / kWarps of them
constexpr int kKeys = kWarp;               // of a tile: a lane has one
constexpr int kOwn = kQueries / kWarps;    // queries of a warp
constexpr int kParts = kMostHead / kWarp;  // values of a head that a lane has

// qkv [batch,seq,3 channels] -> mixed [batch,seq,channels]. Scores never leave the warp: softmax is taken
// tile by tile, and what has been added up is scaled when a larger score comes.
__global__ void __launch_bounds__(kThreads)
    attention_kernel(const float* __restrict__ qkv, float* __restrict__ mixed, int seq, int channels,
                     int head_size) {
  __shared__ float q[kQueries][kMostHead + 1], k[kKeys][kMostHead + 1], v[kKeys][kMostHead + 1];
  const int first_query = blockIdx.x * kQueries, head = blockIdx.y * head_size;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const float* sequence = qkv + static_cast<size_t>(blockIdx.z) * seq * 3 * channels;
  const float scale = rsqrtf(static_cast<float>(head_size));
  for (int y = warp; y < kQueries; y += kWarps)
    for (int d = lane; d < head_size; d += kWarp) {
      const int t = first_query + y;
      q[y][d] = t < seq ? sequence[static_cast<size_t>(t) * 3 * channels + head + d] : 0.0f;
    }
  float largest[kOwn], total[kOwn] = {}, sum[kOwn][kParts] = {};
  for (float& value : largest) value = -INFINITY;
  const int end = min(first_query + kQueries, seq);  // keys behind the last query are nobody's
  for (int first_key = 0; first_key < end; first_key += kKeys) {
    __syncthreads();  // the last tile has been used by all
    for (int y = warp; y < kKeys; y += kWarps)
      for (int d = lane; d < head_size; d += kWarp) {
        const int s = first_key + y;
        const float* row = sequence + static_cast<size_t>(s) * 3 * channels + head + d;
        k[y][d] = s < seq ? row[channels] : 0.0f;
        v[y][d] = s < seq ? row[2 * channels] : 0.0f;
      }
    __syncthreads();
    for (int i = 0; i < kOwn; ++i) {
      const int y = warp * kOwn + i;
      float score = 0.0f;
      for (int d = 0; d < head_size; ++d) score += q[y][d] * k[lane][d];
      score = first_key + lane <= first_query + y ? score * scale : -INFINITY;
      const float now = fmaxf(largest[i], warp_max(score));  // finite: the first key is everybody's
      const float weight = expf(score - now), factor = expf(largest[i] - now);
      largest[i] = now;
      total[i] = total[i] * factor + warp_sum(weight);
      for (float& value : sum[i]) value *= factor;
      for (int s = 0; s < kKeys; ++s) {
        const float of_key = __shfl_sync(kAllLanes, weight, s);
        for (int part = 0; part < kParts; ++part)
          if (lane + part * kWarp < head_size) sum[i][part] += of_key * v[s][lane + part * kWarp];
      }
    }
  }
  for (int i = 0; i < kOwn; ++i)
    for (int part = 0; part < kParts; ++part) {
      const int t = first_query + warp * kOwn + i, d = lane + part * kWarp;
      if (t < seq && d < head_size)
        mixed[(static_cast<size_t>(blockIdx.z) * seq + t) * channels + head + d] = sum[i][part] / total[i];
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
  const size_t bytes = sizeof(float) * rows * channels;
  float *normalized, *qkv, *mixed, *h, *up;
  cudaMalloc(&normalized, bytes);  // first of x, then of h
  cudaMalloc(&qkv, 3 * bytes);
  cudaMalloc(&mixed, bytes);
  cudaMalloc(&h, bytes);
  cudaMalloc(&up, 4 * bytes);
  const auto product = [rows](const float* a, const float* b, float* to, After after, int inner,
                              int columns) {
    const dim3 tiles((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    product_kernel<<<tiles, kThreads>>>(a, b, to, after, rows, inner, columns);
  };
  const int row_blocks = (rows + kWarps - 1) / kWarps;
  const dim3 attention_blocks((seq + kQueries - 1) / kQueries, heads, batch);

  layernorm_kernel<<<row_blocks, kThreads>>>(x, gamma1, beta1, normalized, rows, channels, eps);
  product(normalized, w_qkv, qkv, {nullptr, false, nullptr}, channels, 3 * channels);
  attention_kernel<<<attention_blocks, kThreads>>>(qkv, mixed, seq, channels, channels / heads);
  product(mixed, w_out, h, {nullptr, false, x}, channels, channels);
  layernorm_kernel<<<row_blocks, kThreads>>>(h, gamma2, beta2, normalized, rows, channels, eps);
  product(normalized, w_up, up, {b_up, true, nullptr}, channels, 4 * channels);
  product(up, w_down, out, {b_down, false, h}, 4 * channels, channels);

  cudaFree(up);
  cudaFree(h);
  cudaFree(mixed);
  cudaFree(qkv);
  cudaFree(normalized);
  // END: block
}
