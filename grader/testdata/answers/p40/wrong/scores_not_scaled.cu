// ENTRY: kernel
// CLASS: scaling
// CAUSE: scores are not divided by the root of D
// SAYS: sqrt|root|scale|divided
// NEVER: without GELU|barrier
// HELD: no
// FILL ME IN: kernels (roughly 140 lines)
__device__ float over_warp(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

__global__ void ln(const float* x, const float* g, const float* b, float* y, int n, float eps) {
  __shared__ float parts[4];
  x += static_cast<size_t>(blockIdx.x) * n;
  y += static_cast<size_t>(blockIdx.x) * n;
  const int warp = threadIdx.x / 32;
  float s = 0;
  for (int c = threadIdx.x; c < n; c += 128) s += x[c];
  s = over_warp(s);
  if (threadIdx.x % 32 == 0) parts[warp] = s;
  __syncthreads();
  const float mean = (parts[0] + parts[1] + parts[2] + parts[3]) / n;
  __syncthreads();
  s = 0;
  for (int c = threadIdx.x; c < n; c += 128) s += (x[c] - mean) * (x[c] - mean);
  s = over_warp(s);
  if (threadIdx.x % 32 == 0) parts[warp] = s;
  __syncthreads();
  const float rstd = 1.0f / sqrtf((parts[0] + parts[1] + parts[2] + parts[3]) / n + eps);
  for (int c = threadIdx.x; c < n; c += 128) y[c] = (x[c] - mean) * rstd * g[c] + b[c];
}

template <class Then>
__global__ void mm(const float* a, int a_step, const float* w, int w_step, int m, int k, int n, Then then) {
  __shared__ float as[32][33], ws[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, row0 = blockIdx.y * 32, col = blockIdx.x * 32 + tx;
  float acc[4] = {0, 0, 0, 0};
  for (int k0 = 0; k0 < k; k0 += 32) {
    for (int i = 0; i < 4; ++i) {
      const int y = ty + 8 * i;
      as[y][tx] = row0 + y < m && k0 + tx < k ? a[static_cast<size_t>(row0 + y) * a_step + k0 + tx] : 0.f;
      ws[y][tx] = k0 + y < k && col < n ? w[static_cast<size_t>(k0 + y) * w_step + col] : 0.f;
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      for (int i = 0; i < 4; ++i) acc[i] = fmaf(as[ty + 8 * i][j], ws[j][tx], acc[i]);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    if (row0 + ty + 8 * i < m && col < n) then(row0 + ty + 8 * i, col, acc[i]);
}
inline dim3 tiles32(int m, int n) { return dim3((n + 31) / 32, (m + 31) / 32); }
struct Store {
  float* to;
  int n;
  __device__ void operator()(int r, int c, float v) const { to[static_cast<size_t>(r) * n + c] = v; }
};

__device__ float gelu(float v) {
  return 0.5f * v * (1.f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

struct Add {
  float* to;
  const float *bias, *also;
  int n;
  __device__ void operator()(int r, int c, float v) const {
    const size_t at = static_cast<size_t>(r) * n + c;
    to[at] = v + (bias ? bias[c] : 0.f) + also[at];
  }
};
struct Gelu {
  float* to;
  const float* bias;
  int n;
  __device__ void operator()(int r, int c, float v) const { to[static_cast<size_t>(r) * n + c] = gelu(v + bias[c]); }
};

__global__ void scores_kernel(const float* qkv, float* scores, int seq, int channels, int d) {
  if (blockIdx.x > blockIdx.y) return;  // above the diagonal nobody looks
  __shared__ float q[32][33], k[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y, heads = channels / d;
  const float* from = qkv + static_cast<size_t>(blockIdx.z / heads) * seq * 3 * channels + blockIdx.z % heads * d;
  float acc[4] = {};
  for (int d0 = 0; d0 < d; d0 += 32) {
    for (int y = ty; y < 32; y += 8) {
      const int t = blockIdx.y * 32 + y, s = blockIdx.x * 32 + y;
      q[y][tx] = t < seq && d0 + tx < d ? from[static_cast<size_t>(t) * 3 * channels + d0 + tx] : 0.f;
      k[y][tx] = s < seq && d0 + tx < d ? from[static_cast<size_t>(s) * 3 * channels + channels + d0 + tx] : 0.f;
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      for (int i = 0; i < 4; ++i) acc[i] += q[ty + 8 * i][j] * k[tx][j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    const int t = blockIdx.y * 32 + ty + 8 * i, s = blockIdx.x * 32 + tx;
    if (t < seq && s <= t) scores[(static_cast<size_t>(blockIdx.z) * seq + t) * seq + s] = acc[i];
  }
}
__global__ void softmax_rows(float* scores, int seq) {
  const int row = blockIdx.x * 4 + threadIdx.y, t = row % seq;
  float* of = scores + (static_cast<size_t>(blockIdx.y) * seq + row) * seq;
  if (row >= seq) return;
  float top = -INFINITY, sum = 0.f;
  for (int s = threadIdx.x; s <= t; s += 32) top = fmaxf(top, of[s]);
  for (int w = 16; w > 0; w /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, w));
  for (int s = threadIdx.x; s <= t; s += 32) sum += expf(of[s] - top);
  sum = over_warp(sum);
  for (int s = threadIdx.x; s < seq; s += 32) of[s] = s <= t ? expf(of[s] - top) / sum : 0.f;
}
__global__ void mix_kernel(const float* scores, const float* qkv, float* mixed, int seq, int channels, int d) {
  __shared__ float p[32][33], v[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, heads = channels / d, c = blockIdx.x * 32 + tx, t0 = blockIdx.y * 32;
  const size_t first = static_cast<size_t>(blockIdx.z / heads) * seq;
  const int head = blockIdx.z % heads * d;
  float acc[4] = {};
  for (int s0 = 0; s0 <= t0 && s0 < seq; s0 += 32) {
    for (int y = ty; y < 32; y += 8) {
      p[y][tx] = t0 + y < seq && s0 + tx < seq
                     ? scores[(static_cast<size_t>(blockIdx.z) * seq + t0 + y) * seq + s0 + tx] : 0.f;
      v[y][tx] = s0 + y < seq && c < d ? qkv[(first + s0 + y) * 3 * channels + 2 * channels + head + c] : 0.f;
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      for (int i = 0; i < 4; ++i) acc[i] += p[ty + 8 * i][j] * v[j][tx];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    if (t0 + ty + 8 * i < seq && c < d) mixed[(first + t0 + ty + 8 * i) * channels + head + c] = acc[i];
}
// END: kernels
// FILL ME IN: block (roughly 30 lines)
  const int m = batch * seq, c = channels, d = channels / heads;
  const dim3 threads(32, 8);

  float *n, *qkv, *scores, *mixed, *h, *up;
  cudaMalloc(&n, sizeof(float) * m * c);
  cudaMalloc(&qkv, sizeof(float) * m * c * 3);
  cudaMalloc(&scores, sizeof(float) * m * heads * seq);
  cudaMalloc(&mixed, sizeof(float) * m * c);
  cudaMalloc(&h, sizeof(float) * m * c);
  cudaMalloc(&up, sizeof(float) * m * c * 4);
  const int tiles = (seq + 31) / 32;
  ln<<<m, 128>>>(x, gamma1, beta1, n, c, eps);
  mm<<<tiles32(m, 3 * c), threads>>>(n, c, w_qkv, 3 * c, m, c, 3 * c, Store{qkv, 3 * c});
  scores_kernel<<<dim3(tiles, tiles, batch * heads), threads>>>(qkv, scores, seq, c, d);
  softmax_rows<<<dim3((seq + 3) / 4, batch * heads), dim3(32, 4)>>>(scores, seq);
  mix_kernel<<<dim3((d + 31) / 32, tiles, batch * heads), threads>>>(scores, qkv, mixed, seq, c, d);
  mm<<<tiles32(m, c), threads>>>(mixed, c, w_out, c, m, c, c, Add{h, nullptr, x, c});
  ln<<<m, 128>>>(h, gamma2, beta2, n, c, eps);
  mm<<<tiles32(m, 4 * c), threads>>>(n, c, w_up, 4 * c, m, c, 4 * c, Gelu{up, b_up, 4 * c});
  mm<<<tiles32(m, c), threads>>>(up, 4 * c, w_down, c, m, 4 * c, c, Add{out, b_down, h, c});
  cudaFree(n), cudaFree(qkv), cudaFree(scores), cudaFree(mixed), cudaFree(h), cudaFree(up);
// END: block
