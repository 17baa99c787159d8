// ENTRY: kernel
// CLASS: race
// CAUSE: one step of the single launch does not wait for the step before: attention reads q, k and v that other blocks still write
// SAYS: race|grid|before|not yet|uninitialised|never written|wait
// NEVER: \beps\b
// HELD: no
// FILL ME IN: kernels (roughly 140 lines)
#include <cooperative_groups.h>
struct Block {
  const float *x, *gamma1, *beta1, *w_qkv, *w_out, *gamma2, *beta2, *w_up, *b_up, *w_down, *b_down;
  float *out, *n, *qkv, *mixed, *h, *up;
  int batch, seq, channels, heads;
  float eps;
};

__device__ float over_warp(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

__device__ void norm(const float* x, const float* g, const float* b, float* y, int rows, int n, float eps) {
  const int warps = gridDim.x * 8, lane = threadIdx.x % 32;
  for (int row = blockIdx.x * 8 + threadIdx.x / 32; row < rows; row += warps) {
    const float* from = x + static_cast<size_t>(row) * n;
    float s = 0, q = 0;
    for (int c = lane; c < n; c += 32) s += from[c];
    const float mean = over_warp(s) / n;
    for (int c = lane; c < n; c += 32) q += (from[c] - mean) * (from[c] - mean);
    const float rstd = rsqrtf(over_warp(q) / n + eps);
    for (int c = lane; c < n; c += 32) y[static_cast<size_t>(row) * n + c] = (from[c] - mean) * rstd * g[c] + b[c];
  }
}

template <class Then>
__device__ void mm(float (*as)[33], float (*ws)[32], const float* a, const float* w, int m, int k, int n, Then then) {
  const int tx = threadIdx.x % 32, ty = threadIdx.x / 32, across = (n + 31) / 32, tiles = across * ((m + 31) / 32);
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int row0 = tile / across * 32, col = tile % across * 32 + tx;
    float acc[4] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
      for (int y = ty; y < 32; y += 8) {
        as[y][tx] = row0 + y < m && k0 + tx < k ? a[static_cast<size_t>(row0 + y) * k + k0 + tx] : 0.f;
        ws[y][tx] = k0 + y < k && col < n ? w[static_cast<size_t>(k0 + y) * n + col] : 0.f;
      }
      __syncthreads();
      for (int j = 0; j < 32; ++j)
        for (int i = 0; i < 4; ++i) acc[i] += as[ty + 8 * i][j] * ws[j][tx];
      __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
      const int row = row0 + ty + 8 * i;
      if (row < m && col < n) then(static_cast<size_t>(row) * n + col, col, acc[i]);
    }
  }
}

// A block takes 8 queries of a head, a warp each; tiles of keys are shared by all of them.
__device__ void attend(float (*ks)[33], float (*vs)[32], const Block& p) {
  const int d = p.channels / p.heads, across = (p.seq + 7) / 8, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int step = 3 * p.channels;
  for (int job = blockIdx.x; job < across * p.heads * p.batch; job += gridDim.x) {
    const int t0 = job % across * 8, t = t0 + warp, head = job / across % p.heads * d;
    const float* of = p.qkv + static_cast<size_t>(job / across / p.heads) * p.seq * step + head;
    float top = -INFINITY, total = 0, acc[2] = {};
    for (int s0 = 0; s0 < min(t0 + 8, p.seq); s0 += 32) {
      float score = 0;
      for (int d0 = 0; d0 < d; d0 += 32) {
        __syncthreads();
        for (int y = warp; y < 32; y += 8)
          ks[y][lane] = s0 + y < p.seq && d0 + lane < d ? of[static_cast<size_t>(s0 + y) * step + p.channels + d0 + lane] : 0.f;
        __syncthreads();
        const float mine = t < p.seq && d0 + lane < d ? of[static_cast<size_t>(t) * step + d0 + lane] : 0.f;
        for (int j = 0; j < 32; ++j) score += __shfl_sync(0xffffffffu, mine, j) * ks[lane][j];
      }
      score = s0 + lane <= t && t < p.seq ? score / sqrtf(d) : -INFINITY;
      float now = fmaxf(top, score);
      for (int w = 16; w > 0; w /= 2) now = fmaxf(now, __shfl_xor_sync(0xffffffffu, now, w));
      const float keep = now == -INFINITY ? 1.f : expf(top - now), weight = now == -INFINITY ? 0.f : expf(score - now);
      top = now;
      total = total * keep + over_warp(weight);
      for (int part = 0; part < 2; ++part) {
        acc[part] *= keep;
        if (part * 32 >= d) continue;
        __syncthreads();
        for (int y = warp; y < 32; y += 8)
          vs[y][lane] = s0 + y < p.seq && part * 32 + lane < d
                            ? of[static_cast<size_t>(s0 + y) * step + 2 * p.channels + part * 32 + lane] : 0.f;
        __syncthreads();
        for (int j = 0; j < 32; ++j) acc[part] += __shfl_sync(0xffffffffu, weight, j) * vs[j][lane];
      }
    }
    for (int part = 0; part < 2; ++part)
      if (t < p.seq && part * 32 + lane < d)
        p.mixed[(static_cast<size_t>(job / across / p.heads) * p.seq + t) * p.channels + head + part * 32 + lane] =
            acc[part] / total;
  }
}

__global__ void whole_block(Block p) {
  __shared__ float a[32][33], b[32][32];
  const auto grid = cooperative_groups::this_grid();
  const int m = p.batch * p.seq, c = p.channels;
  norm(p.x, p.gamma1, p.beta1, p.n, m, c, p.eps);
  grid.sync();
  mm(a, b, p.n, p.w_qkv, m, c, 3 * c, [=](size_t at, int, float v) { p.qkv[at] = v; });
  attend(a, b, p);
  grid.sync();
  mm(a, b, p.mixed, p.w_out, m, c, c, [=](size_t at, int, float v) { p.h[at] = v + p.x[at]; });
  grid.sync();
  norm(p.h, p.gamma2, p.beta2, p.n, m, c, p.eps);
  grid.sync();
  mm(a, b, p.n, p.w_up, m, c, 4 * c, [=](size_t at, int col, float v) {
    v += p.b_up[col];
    const float e = expf(-2.f * 0.7978845608f * (v + 0.044715f * v * v * v));
    p.up[at] = v / (1.f + e);  // 0.5 (1 + tanh(t)) is 1 / (1 + e^-2t)
  });
  grid.sync();
  mm(a, b, p.up, p.w_down, m, 4 * c, c, [=](size_t at, int col, float v) { p.out[at] = p.h[at] + v + p.b_down[col]; });
}
// END: kernels
// FILL ME IN: block (roughly 30 lines)
  const size_t one = static_cast<size_t>(batch) * seq * channels;
  float* scratch;
  cudaMalloc(&scratch, sizeof(float) * 10 * one);
  Block p{x, gamma1, beta1, w_qkv, w_out, gamma2, beta2, w_up, b_up, w_down, b_down,
          out, scratch, scratch + one, scratch + 4 * one, scratch + 5 * one, scratch + 6 * one,
          batch, seq, channels, heads, eps};
  void* arguments[] = {&p};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(whole_block), dim3(132), dim3(256), arguments, 0, 0);
  cudaFree(scratch);
// END: block
