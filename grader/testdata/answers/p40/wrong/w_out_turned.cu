// ENTRY: kernel
// CLASS: index
// CAUSE: w_out is read along the wrong side: [out][in]
// SAYS: w_out|transpos|turned|rows and columns|\[
// NEVER: \beps\b
// HELD: yes
// FILL ME IN: kernels (roughly 140 lines)
__device__ float over_warp(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
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
template <class Then>
__global__ void turned_mm(const float* a, int a_step, const float* w, int w_step, int m, int k, int n, Then then) {
  __shared__ float as[32][33], ws[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y, row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
  float acc[4] = {0, 0, 0, 0};
  for (int k0 = 0; k0 < k; k0 += 32) {
    for (int y = ty; y < 32; y += 8) {
      as[y][tx] = row0 + y < m && k0 + tx < k ? a[static_cast<size_t>(row0 + y) * a_step + k0 + tx] : 0.f;
      ws[tx][y] = k0 + tx < k && col0 + y < n ? w[static_cast<size_t>(col0 + y) * w_step + k0 + tx] : 0.f;
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      for (int i = 0; i < 4; ++i) acc[i] += as[ty + 8 * i][j] * ws[j][tx];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    if (row0 + ty + 8 * i < m && col0 + tx < n) then(row0 + ty + 8 * i, col0 + tx, acc[i]);
}
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

__global__ void stats(const float* x, float2* of_row, int rows, int c, float eps) {
  const int row = blockIdx.x * 8 + threadIdx.y;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * c;
  float mean = 0, squares = 0;
  for (int i = threadIdx.x; i < c; i += 32) mean += from[i];
  mean = over_warp(mean) / c;
  for (int i = threadIdx.x; i < c; i += 32) squares += (from[i] - mean) * (from[i] - mean);
  squares = over_warp(squares);
  if (threadIdx.x == 0) of_row[row] = make_float2(mean, rsqrtf(squares / c + eps));
}
template <class Then>
__global__ void normalised_mm(const float* a, const float2* of_row, const float* g, const float* b, const float* w,
                              int m, int k, int n, Then then) {
  __shared__ float as[16][17], ws[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  const float2 s = row < m ? of_row[row] : make_float2(0, 0);
  float acc = 0;
  for (int k0 = 0; k0 < k; k0 += 16) {
    const int i = k0 + tx;
    as[ty][tx] = row < m && i < k ? (a[static_cast<size_t>(row) * k + i] - s.x) * s.y * g[i] + b[i] : 0;
    ws[ty][tx] = k0 + ty < k && col < n ? w[static_cast<size_t>(k0 + ty) * n + col] : 0;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j) acc += as[ty][j] * ws[j][tx];
    __syncthreads();
  }
  if (row < m && col < n) then(row, col, acc);
}
// END: kernels
// FILL ME IN: block (roughly 30 lines)
  const int m = batch * seq, c = channels, d = channels / heads;
  const dim3 threads(32, 8);

  float2* of_row;
  float *qkv, *mixed, *up;
  cudaMalloc(&of_row, sizeof(float2) * m);
  cudaMalloc(&qkv, sizeof(float) * m * c * 3);
  cudaMalloc(&mixed, sizeof(float) * m * c);
  cudaMalloc(&up, sizeof(float) * m * c * 4);
  const auto tiles16 = [m](int n) { return dim3((n + 15) / 16, (m + 15) / 16); };
  const dim3 sixteen(16, 16);
  stats<<<(m + 7) / 8, threads>>>(x, of_row, m, c, eps);
  normalised_mm<<<tiles16(3 * c), sixteen>>>(x, of_row, gamma1, beta1, w_qkv, m, c, 3 * c, Store{qkv, 3 * c});
  attend<<<dim3((seq + 15) / 16, heads, batch), threads, 16 * seq * sizeof(float)>>>(qkv, qkv + c, qkv + 2 * c, 3 * c,
                                                                                   mixed, seq, c, d);
  turned_mm<<<tiles32(m, c), threads>>>(mixed, c, w_out, c, m, c, c, Add{out, nullptr, x, c});  // out holds h for now
  stats<<<(m + 7) / 8, threads>>>(out, of_row, m, c, eps);
  normalised_mm<<<tiles16(4 * c), sixteen>>>(out, of_row, gamma2, beta2, w_up, m, c, 4 * c, Gelu{up, b_up, 4 * c});
  mm<<<tiles32(m, c), threads>>>(up, 4 * c, w_down, c, m, 4 * c, c, Add{out, b_down, out, c});
  cudaFree(of_row);
  cudaFree(qkv);
  cudaFree(mixed);
  cudaFree(up);
// END: block
