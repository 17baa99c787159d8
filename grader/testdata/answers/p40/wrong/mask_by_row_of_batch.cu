// ENTRY: kernel
// CLASS: mask
// CAUSE: The causal mask compares a position in its sequence with the row of the whole batch: all sequences but the first see later positions.
// SAYS: s <= |mask|causal|later
// SAYS: base_row|row|batch|sequence
// NEVER: \brace\b
// NEVER: barrier
// HELD: no
// A transformer block in seven launches: LayerNorm, QKV, attention, projection + residual, LayerNorm,
// up + bias + GELU, down + bias + residual.
#include <cuda_runtime.h>

#include <cfloat>
#include <cmath>

namespace {

constexpr unsigned kFull = 0xffffffffu;

__device__ float lanes_sum(float v) {
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(kFull, v, d);
  return v;
}
__device__ float lanes_max(float v) {
  for (int d = 16; d; d >>= 1) v = fmaxf(v, __shfl_xor_sync(kFull, v, d));
  return v;
}

// ---- LayerNorm, a warp for each row ----

__global__ void norm_rows(const float* __restrict__ x, const float* __restrict__ gamma,
                          const float* __restrict__ beta, float* __restrict__ y, int rows, int width,
                          float eps) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* src = x + static_cast<size_t>(row) * width;
  float* dst = y + static_cast<size_t>(row) * width;
  float s = 0.f;
  for (int c = lane; c < width; c += 32) s += src[c];
  const float mu = lanes_sum(s) / width;
  float q = 0.f;
  for (int c = lane; c < width; c += 32) q += (src[c] - mu) * (src[c] - mu);
  const float inv = 1.0f / sqrtf(lanes_sum(q) / width + eps);
  for (int c = lane; c < width; c += 32) dst[c] = (src[c] - mu) * inv * gamma[c] + beta[c];
}

// ---- products, with something to be done at their end ----

struct Plain {
  __device__ float operator()(float v, size_t, int) const { return v; }
};
struct Residual {
  const float* add;
  __device__ float operator()(float v, size_t at, int) const { return v + add[at]; }
};
struct BiasGelu {
  const float* bias;
  __device__ float operator()(float v, size_t, int column) const {
    v += bias[column];
    return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
  }
};
struct BiasResidual {
  const float* bias;
  const float* add;
  __device__ float operator()(float v, size_t at, int column) const { return v + bias[column] + add[at]; }
};

constexpr int kSquare = 64, kSlab = 16, kOwn = 4;

template <typename End>
__global__ void __launch_bounds__(256)
    product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int k,
            int n, End end) {
  __shared__ float at[kSlab][kSquare + 1];
  __shared__ float bt[kSlab][kSquare];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int row0 = blockIdx.y * kSquare, col0 = blockIdx.x * kSquare;
  float acc[kOwn][kOwn] = {};
  for (int k0 = 0; k0 < k; k0 += kSlab) {
    for (int i = threadIdx.x; i < kSquare * kSlab; i += 256) {
      const int r = i / kSlab, kk = i % kSlab;
      at[kk][r] = row0 + r < m && k0 + kk < k ? a[static_cast<size_t>(row0 + r) * k + k0 + kk] : 0.f;
    }
    for (int i = threadIdx.x; i < kSquare * kSlab; i += 256) {
      const int kk = i / kSquare, col = i % kSquare;
      bt[kk][col] = k0 + kk < k && col0 + col < n ? b[static_cast<size_t>(k0 + kk) * n + col0 + col] : 0.f;
    }
    __syncthreads();
    for (int kk = 0; kk < kSlab; ++kk) {
      float ra[kOwn], rb[kOwn];
      for (int i = 0; i < kOwn; ++i) ra[i] = at[kk][ty + 16 * i];
      for (int j = 0; j < kOwn; ++j) rb[j] = bt[kk][tx + 16 * j];
      for (int i = 0; i < kOwn; ++i)
        for (int j = 0; j < kOwn; ++j) acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i)
    for (int j = 0; j < kOwn; ++j) {
      const int row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
      if (row < m && col < n) {
        const size_t where = static_cast<size_t>(row) * n + col;
        c[where] = end(acc[i][j], where, col);
      }
    }
}

template <typename End>
void run_product(const float* a, const float* b, float* c, int m, int k, int n, End end) {
  const dim3 grid((n + kSquare - 1) / kSquare, (m + kSquare - 1) / kSquare);
  product<<<grid, 256>>>(a, b, c, m, k, n, end);
}

// ---- attention: a block has 32 queries of one head and sequence, a warp 4 of them ----

constexpr int kQ = 32, kWarpsOfQ = 8, kQEach = kQ / kWarpsOfQ, kMostD = 64;

__global__ void __launch_bounds__(32 * kWarpsOfQ)
    attend(const float* __restrict__ qkv, float* __restrict__ out, int seq, int channels, int heads) {
  __shared__ float qs[kQ][kMostD], ks[32][kMostD + 1], vs[32][kMostD];
  const int d_head = channels / heads;
  const int batch = blockIdx.y / heads, head = blockIdx.y % heads;
  const int q0 = blockIdx.x * kQ;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t pitch = 3 * static_cast<size_t>(channels);
  const int base_row = batch * seq;  // of this sequence
  const float* mine = qkv + base_row * pitch + head * d_head;

  for (int i = threadIdx.x; i < kQ * d_head; i += blockDim.x) {
    const int r = i / d_head, d = i % d_head;
    qs[r][d] = q0 + r < seq ? mine[(q0 + r) * pitch + d] : 0.f;
  }

  float best[kQEach], norm[kQEach], acc[kQEach][2];
  for (int i = 0; i < kQEach; ++i) {
    best[i] = -FLT_MAX;
    norm[i] = acc[i][0] = acc[i][1] = 0.f;
  }
  const float scale = 1.0f / sqrtf(static_cast<float>(d_head));
  const int keys = min(q0 + kQ, seq);
  for (int s0 = 0; s0 < keys; s0 += 32) {
    __syncthreads();
    for (int i = threadIdx.x; i < 32 * d_head; i += blockDim.x) {
      const int r = i / d_head, d = i % d_head;
      const bool there = s0 + r < seq;
      ks[r][d] = there ? mine[(s0 + r) * pitch + channels + d] : 0.f;
      vs[r][d] = there ? mine[(s0 + r) * pitch + 2 * channels + d] : 0.f;
    }
    __syncthreads();
    const int s = s0 + lane;
    for (int i = 0; i < kQEach; ++i) {
      const int r = warp * kQEach + i;  // of the block's queries
      const int row = base_row + q0 + r;
      float score = 0.f;
      for (int d = 0; d < d_head; ++d) score += qs[r][d] * ks[lane][d];
      score = s < seq && s <= row ? score * scale : -INFINITY;
      const float now = fmaxf(best[i], lanes_max(score));
      const float shrink = expf(best[i] - now);
      const float p = expf(score - now);
      norm[i] = norm[i] * shrink + lanes_sum(p);
      acc[i][0] *= shrink;
      acc[i][1] *= shrink;
      best[i] = now;
      for (int j = 0; j < 32; ++j) {
        const float pj = __shfl_sync(kFull, p, j);
        if (lane < d_head) acc[i][0] += pj * vs[j][lane];
        if (lane + 32 < d_head) acc[i][1] += pj * vs[j][lane + 32];
      }
    }
  }
  for (int i = 0; i < kQEach; ++i) {
    const int t = q0 + warp * kQEach + i;
    if (t >= seq) continue;
    float* to = out + static_cast<size_t>(base_row + t) * channels + head * d_head;
    if (lane < d_head) to[lane] = acc[i][0] / norm[i];
    if (lane + 32 < d_head) to[lane + 32] = acc[i][1] / norm[i];
  }
}

}  // namespace

void transformer_block(const float* x, const float* gamma1, const float* beta1, const float* w_qkv,
                       const float* w_out, const float* gamma2, const float* beta2, const float* w_up,
                       const float* b_up, const float* w_down, const float* b_down, float* out, int batch,
                       int seq, int channels, int heads, float eps) {
  const int rows = batch * seq;
  const size_t plane = static_cast<size_t>(rows) * channels;
  float* pool;  // normed C, qkv 3C, attended C, h C, up 4C
  cudaMalloc(&pool, sizeof(float) * plane * 10);
  float *normed = pool, *qkv = pool + plane, *attended = pool + 4 * plane, *h = pool + 5 * plane,
        *up = pool + 6 * plane;
  const int norm_blocks = (rows + 3) / 4;

  norm_rows<<<norm_blocks, 128>>>(x, gamma1, beta1, normed, rows, channels, eps);
  run_product(normed, w_qkv, qkv, rows, channels, 3 * channels, Plain{});
  attend<<<dim3((seq + kQ - 1) / kQ, batch * heads), 32 * kWarpsOfQ>>>(qkv, attended, seq, channels, heads);
  run_product(attended, w_out, h, rows, channels, channels, Residual{x});
  norm_rows<<<norm_blocks, 128>>>(h, gamma2, beta2, normed, rows, channels, eps);
  run_product(normed, w_up, up, rows, channels, 4 * channels, BiasGelu{b_up});
  run_product(up, w_down, out, rows, 4 * channels, channels, BiasResidual{b_down, h});
  cudaFree(pool);
}
