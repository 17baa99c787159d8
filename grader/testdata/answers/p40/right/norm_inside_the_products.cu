// STYLE: five launches: LayerNorm is done inside the products that follow it, and attention has a lane for each key of a tile; one workspace, a template with flags
#include <cuda_runtime.h>

namespace {

constexpr unsigned kAll = 0xffffffffu;
constexpr float kLow = -1e30f;

__device__ __forceinline__ float warp_add(float v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(kAll, v, d);
  return v;
}

__device__ __forceinline__ float warp_most(float v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(kAll, v, d));
  return v;
}

enum : int { kNorm = 1, kBias = 2, kGelu = 4, kResidual = 8 };

struct Norm {
  const float *gamma, *beta;
  float eps;
};

// to [rows,columns] = a [rows,inner] w [inner,columns]; with kNorm the rows of a are normalised first.
// A block makes 32 x 64 of it: warp y has rows y, y + 8, y + 16, y + 24, a lane columns lane and lane + 32.
template <int kFlags>
__global__ void __launch_bounds__(256)
    product(const float* __restrict__ a, const float* __restrict__ w, const float* __restrict__ bias,
            const float* residual, float* to, int rows, int inner, int columns, Norm norm) {
  __shared__ float left[32][32], right[32][64];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 64;

  float mean[4] = {}, rstd[4] = {};
  if constexpr ((kFlags & kNorm) != 0) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int row = row0 + warp + 8 * i;
      if (row >= rows) continue;  // the whole warp
      const float* line = a + static_cast<size_t>(row) * inner;
      float sum = 0.0f, squares = 0.0f;
      for (int c = lane; c < inner; c += 32) sum += line[c];
      mean[i] = warp_add(sum) / inner;
      for (int c = lane; c < inner; c += 32) squares += (line[c] - mean[i]) * (line[c] - mean[i]);
      rstd[i] = rsqrtf(warp_add(squares) / inner + norm.eps);
    }
  }

  float sum[4][2] = {};
  for (int k0 = 0; k0 < inner; k0 += 32) {
    const int c = k0 + lane;
    float gamma = 1.0f, beta = 0.0f;
    if constexpr ((kFlags & kNorm) != 0) {
      if (c < inner) {
        gamma = norm.gamma[c];
        beta = norm.beta[c];
      }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int row = row0 + warp + 8 * i;
      float value = 0.0f;
      if (row < rows && c < inner) {
        value = a[static_cast<size_t>(row) * inner + c];
        if constexpr ((kFlags & kNorm) != 0) value = (value - mean[i]) * rstd[i] * gamma + beta;
      }
      left[warp + 8 * i][lane] = value;
      const int k = k0 + warp + 8 * i;
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int column = column0 + lane + 32 * j;
        right[warp + 8 * i][lane + 32 * j] =
            k < inner && column < columns ? w[static_cast<size_t>(k) * columns + column] : 0.0f;
      }
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 32; ++k) {
      const float w0 = right[k][lane], w1 = right[k][lane + 32];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float v = left[warp + 8 * i][k];
        sum[i][0] = fmaf(v, w0, sum[i][0]);
        sum[i][1] = fmaf(v, w1, sum[i][1]);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      const int row = row0 + warp + 8 * i, column = column0 + lane + 32 * j;
      if (row >= rows || column >= columns) continue;
      const size_t at = static_cast<size_t>(row) * columns + column;
      float v = sum[i][j];
      if constexpr ((kFlags & kBias) != 0) v += bias[column];
      if constexpr ((kFlags & kGelu) != 0)
        v = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
      if constexpr ((kFlags & kResidual) != 0) v += residual[at];
      to[at] = v;
    }
  }
}

// Block: 32 queries of a head, four for each warp. Tiles of 32 keys, of which a lane has one.
__global__ void __launch_bounds__(256)
    attention(const float* __restrict__ qkv, float* __restrict__ mixed, int seq, int channels, int heads) {
  __shared__ float q_tile[32][65], k_tile[32][65], v_tile[32][65];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int D = channels / heads;
  const size_t pitch = 3 * static_cast<size_t>(channels);
  const float* q = qkv + static_cast<size_t>(blockIdx.z) * seq * pitch + blockIdx.y * D;
  const float *k = q + channels, *v = k + channels;
  const int query0 = blockIdx.x * 32, mine0 = query0 + 4 * warp;

  const auto load = [&](float (*tile)[65], const float* from, int first) {
    for (int y = warp; y < 32; y += 8)
      for (int d = lane; d < 64; d += 32)
        tile[y][d] = first + y < seq && d < D ? from[(first + y) * pitch + d] : 0.0f;
  };

  load(q_tile, q, query0);
  const float scale = 1.0f / sqrtf(static_cast<float>(D));
  float most[4], total[4], low[4], high[4];
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    most[n] = kLow;
    total[n] = low[n] = high[n] = 0.0f;
  }
  const int end = min(query0 + 32, seq);
  for (int key0 = 0; key0 < end; key0 += 32) {
    load(k_tile, k, key0);
    load(v_tile, v, key0);
    __syncthreads();
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const int t = mine0 + n;
      float score = 0.0f;
      for (int d = 0; d < D; ++d) score += q_tile[4 * warp + n][d] * k_tile[lane][d];
      const bool seen = key0 + lane <= t && key0 + lane < seq;
      score = seen ? score * scale : kLow;
      const float now = fmaxf(most[n], warp_most(score));
      const float weight = seen ? expf(score - now) : 0.0f, factor = expf(most[n] - now);
      most[n] = now;
      total[n] = total[n] * factor + warp_add(weight);
      low[n] *= factor;
      high[n] *= factor;
      for (int s = 0; s < 32; ++s) {
        const float of_s = __shfl_sync(kAll, weight, s);
        low[n] += of_s * v_tile[s][lane];
        high[n] += of_s * v_tile[s][lane + 32];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    if (mine0 + n >= seq) continue;
    float* line = mixed + (static_cast<size_t>(blockIdx.z) * seq + mine0 + n) * channels + blockIdx.y * D;
    if (lane < D) line[lane] = low[n] / total[n];
    if (lane + 32 < D) line[lane + 32] = high[n] / total[n];
  }
}

}  // namespace

void transformer_block(const float* x, const float* gamma1, const float* beta1, const float* w_qkv,
                       const float* w_out, const float* gamma2, const float* beta2, const float* w_up,
                       const float* b_up, const float* w_down, const float* b_down, float* out, int batch,
                       int seq, int channels, int heads, float eps) {
  const int rows = batch * seq, C = channels;
  const size_t plane = static_cast<size_t>(rows) * C;
  float *qkv, *mixed, *h, *up;
  cudaMalloc(&qkv, 3 * plane * sizeof(float));
  cudaMalloc(&mixed, plane * sizeof(float));
  cudaMalloc(&h, plane * sizeof(float));
  cudaMalloc(&up, 4 * plane * sizeof(float));
  const dim3 threads(32, 8);
  const auto tiles = [rows](int columns) { return dim3((columns + 63) / 64, (rows + 31) / 32); };
  const Norm first{gamma1, beta1, eps}, second{gamma2, beta2, eps}, none{nullptr, nullptr, 0.0f};

  product<kNorm><<<tiles(3 * C), threads>>>(x, w_qkv, nullptr, nullptr, qkv, rows, C, 3 * C, first);
  attention<<<dim3((seq + 31) / 32, heads, batch), threads>>>(qkv, mixed, seq, C, heads);
  product<kResidual><<<tiles(C), threads>>>(mixed, w_out, nullptr, x, h, rows, C, C, none);
  product<kNorm | kBias | kGelu><<<tiles(4 * C), threads>>>(h, w_up, b_up, nullptr, up, rows, C, 4 * C, second);
  product<kBias | kResidual><<<tiles(C), threads>>>(up, w_down, b_down, h, out, rows, 4 * C, C, none);

  cudaFree(up);
  cudaFree(h);
  cudaFree(mixed);
  cudaFree(qkv);
}
