// ENTRY: kernel
// CLASS: missing-term
// CAUSE: the second LayerNorm has no eps
// SAYS: \beps
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

__global__ void attend(const float* q, const float* k, const float* v, int step, float* mixed, int seq, int channels,
                       int d) {
  extern __shared__ float scores[];  // [16][seq]
  __shared__ float tile[32][65], mine[16][64];
  const int t0 = blockIdx.x * 16, head = blockIdx.y * d, lane = threadIdx.x, warp = threadIdx.y;
  const size_t first = static_cast<size_t>(blockIdx.z) * seq;
  const int keys = min(t0 + 16, seq);
  for (int i = warp; i < 16; i += 8)
    for (int c = lane; c < d; c += 32) mine[i][c] = t0 + i < seq ? q[(first + t0 + i) * step + head + c] : 0.f;
  for (int s0 = 0; s0 < keys; s0 += 32) {
    __syncthreads();
    for (int i = warp; i < 32 && s0 + i < keys; i += 8)
      for (int c = lane; c < d; c += 32) tile[i][c] = k[(first + s0 + i) * step + head + c];
    __syncthreads();
    for (int i = warp; i < 16; i += 8)
      if (s0 + lane < keys) {
        float dot = 0.f;
        for (int c = 0; c < d; ++c) dot += mine[i][c] * tile[lane][c];
        scores[i * seq + s0 + lane] = dot / sqrtf(static_cast<float>(d));
      }
  }
  float total[2];
  for (int j = 0; j < 2; ++j) {  // a warp has queries warp and warp + 8; nobody else reads their scores
    const int i = warp + 8 * j, count = min(t0 + i + 1, keys);
    __syncwarp();
    float top = -INFINITY;
    for (int s = lane; s < count; s += 32) top = fmaxf(top, scores[i * seq + s]);
    for (int w = 16; w > 0; w /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, w));
    float sum = 0.f;
    for (int s = lane; s < keys; s += 32) {
      const float p = s < count ? expf(scores[i * seq + s] - top) : 0.f;
      scores[i * seq + s] = p;
      sum += p;
    }
    total[j] = over_warp(sum);
  }
  float acc[2][2] = {};
  for (int s0 = 0; s0 < keys; s0 += 32) {
    __syncthreads();
    for (int i = warp; i < 32 && s0 + i < keys; i += 8)
      for (int c = lane; c < d; c += 32) tile[i][c] = v[(first + s0 + i) * step + head + c];
    __syncthreads();
    for (int s = s0; s < min(s0 + 32, keys); ++s)
      for (int j = 0; j < 2; ++j)
        for (int h = 0; h < 2; ++h)
          if (lane + 32 * h < d) acc[j][h] += scores[(warp + 8 * j) * seq + s] * tile[s - s0][lane + 32 * h];
  }
  for (int j = 0; j < 2; ++j)
    for (int h = 0; h < 2; ++h) {
      const int t = t0 + warp + 8 * j, c = lane + 32 * h;
      if (t < seq && c < d) mixed[(first + t) * channels + head + c] = acc[j][h] / total[j];
    }
}

__global__ void add_ln(const float* x, const float* y, const float* g, const float* b, float* h, float* n, int rows,
                       int c, float eps) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const size_t at = static_cast<size_t>(row) * c;
  float s = 0, q = 0;
  for (int i = lane; i < c; i += 32) {
    const float v = x[at + i] + y[at + i];
    h[at + i] = v;
    s += v;
  }
  const float mean = over_warp(s) / c;
  for (int i = lane; i < c; i += 32) q += (h[at + i] - mean) * (h[at + i] - mean);
  const float rstd = rsqrtf(over_warp(q) / c);
  for (int i = lane; i < c; i += 32) n[at + i] = (h[at + i] - mean) * rstd * g[i] + b[i];
}
__global__ void bias_gelu(float* up, const float* bias, int columns) {
  float* row = up + static_cast<size_t>(blockIdx.x) * columns;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) row[i] = gelu(row[i] + bias[i]);
}
// END: kernels
// FILL ME IN: block (roughly 30 lines)
  const int m = batch * seq, c = channels, d = channels / heads;
  const dim3 threads(32, 8);

  float* buffer[5];
  const int sizes[5] = {c, 3 * c, c, c, 4 * c};
  for (int i = 0; i < 5; ++i) cudaMalloc(&buffer[i], sizeof(float) * m * sizes[i]);
  float *n = buffer[0], *qkv = buffer[1], *mixed = buffer[2], *h = buffer[3], *up = buffer[4];
  ln<<<m, 128>>>(x, gamma1, beta1, n, c, eps);
  mm<<<tiles32(m, 3 * c), threads>>>(n, c, w_qkv, 3 * c, m, c, 3 * c, Store{qkv, 3 * c});
  attend<<<dim3((seq + 15) / 16, heads, batch), threads, 16 * seq * sizeof(float)>>>(qkv, qkv + c, qkv + 2 * c, 3 * c,
                                                                                   mixed, seq, c, d);
  mm<<<tiles32(m, c), threads>>>(mixed, c, w_out, c, m, c, c, Store{n, c});
  add_ln<<<(m + 3) / 4, 128>>>(x, n, gamma2, beta2, h, mixed, m, c, eps);
  mm<<<tiles32(m, 4 * c), threads>>>(mixed, c, w_up, 4 * c, m, c, 4 * c, Store{up, 4 * c});
  bias_gelu<<<m, 256>>>(up, b_up, 4 * c);
  mm<<<tiles32(m, c), threads>>>(up, 4 * c, w_down, c, m, 4 * c, c, Add{out, b_down, h, c});
  for (float* each : buffer) cudaFree(each);
// END: block
