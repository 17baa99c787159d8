// ENTRY: kernel
// CLASS: over-budget
// CAUSE: Each lane walks along a key of its own, so that the loads of k are not coalesced. The answer is right.
// SAYS: coalesced|sectors
// SAYS: line|lanes
// NEVER: need not be
// HELD: no
// FILL ME IN: kernels (roughly 140 lines)
__device__ float warp_total(float v) {
  for (int o = kWarp / 2; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}

__global__ void norm_kernel(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                            float* __restrict__ out, int rows, int channels, float eps) {
  const int row = blockIdx.x * 4 + threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * channels;
  float* to = out + static_cast<size_t>(row) * channels;
  float sum = 0.0f, squares = 0.0f;
  for (int c = lane; c < channels; c += kWarp) sum += from[c];
  const float mean = warp_total(sum) / channels;
  for (int c = lane; c < channels; c += kWarp) squares += (from[c] - mean) * (from[c] - mean);
  const float rstd = rsqrtf(warp_total(squares) / channels + eps);
  for (int c = lane; c < channels; c += kWarp) to[c] = (from[c] - mean) * rstd * gamma[c] + beta[c];
}

__device__ float gelu(float v) { return 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))); }

// out = a w, then bias, GELU and residual where there are such
template <bool kGelu>
__global__ void product_kernel(const float* __restrict__ a, const float* __restrict__ w, const float* bias, const float* residual,
                               float* out, int rows, int inner, int columns) {
  __shared__ float at[32][33], wt[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, first = blockIdx.y * 32;
  float sum[4] = {};
  for (int k0 = 0; k0 < inner; k0 += 32) {
    for (int i = ty; i < 32; i += 8) {
      at[i][tx] = first + i < rows && k0 + tx < inner ? a[static_cast<size_t>(first + i) * inner + k0 + tx] : 0.0f;
      wt[i][tx] = k0 + i < inner && col < columns ? w[static_cast<size_t>(k0 + i) * columns + col] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int j = 0; j < 4; ++j) sum[j] += at[ty + 8 * j][k] * wt[k][tx];
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j) {
    const int row = first + ty + 8 * j;
    if (row >= rows || col >= columns) continue;
    const size_t to = static_cast<size_t>(row) * columns + col;
    float v = sum[j];
    if (bias) v += bias[col];
    if (kGelu) v = gelu(v);
    if (residual) v += residual[to];
    out[to] = v;
  }
}

__global__ void attention_kernel(const float* __restrict__ qkv, float* __restrict__ out, int seq, int channels, int heads) {
  extern __shared__ float p[];  // [4][seq]
  const int size = channels / heads, head = blockIdx.y % heads, b = blockIdx.y / heads, lane = threadIdx.x, t = blockIdx.x * 4 + threadIdx.y;
  const size_t pitch = 3 * (size_t)channels;
  const float* base = qkv + (size_t)b * seq * pitch + head * size;
  float* mine = p + threadIdx.y * seq;
  if (t >= seq) return;
  const float* q = base + t * pitch;
  float m = -INFINITY;
  for (int s = lane; s <= t; s += 32) {
    float d = 0;
    for (int c = 0; c < size; ++c) d = fmaf(q[c], base[s * pitch + channels + c], d);
    mine[s] = d / sqrtf((float)size);
    m = fmaxf(m, mine[s]);
  }
  for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
  float z = 0;
  for (int s = lane; s <= t; s += 32) z += mine[s] = expf(mine[s] - m);
  z = warp_total(z);
  __syncwarp();
  for (int c = lane; c < size; c += 32) {
    float r = 0;
    for (int s = 0; s <= t; ++s) r = fmaf(mine[s], base[s * pitch + 2 * channels + c], r);
    out[((size_t)b * seq + t) * channels + head * size + c] = r / z;
  }
}
// END: kernels
  // FILL ME IN: block (roughly 30 lines)
  const int rows = batch * seq;
  const size_t plane = (size_t)rows * channels;
  float* room;
  cudaMalloc(&room, sizeof(float) * plane * 9);
  float *normed = room, *qkv = room + plane, *mixed = room + 4 * plane, *wide = room + 5 * plane;
  const auto tiles = [&](int columns) { return dim3((columns + 31) / 32, (rows + 31) / 32); };
  const dim3 block(32, 8);
  norm_kernel<<<(rows + 3) / 4, 128>>>(x, gamma1, beta1, normed, rows, channels, eps);
  product_kernel<false><<<tiles(3 * channels), block>>>(normed, w_qkv, nullptr, nullptr, qkv, rows, channels, 3 * channels);
  attention_kernel<<<dim3((seq + 3) / 4, batch * heads), dim3(32, 4), sizeof(float) * 4 * seq>>>(qkv, mixed, seq, channels, heads);
  product_kernel<false><<<tiles(channels), block>>>(mixed, w_out, nullptr, x, out, rows, channels, channels);
  norm_kernel<<<(rows + 3) / 4, 128>>>(out, gamma2, beta2, normed, rows, channels, eps);
  product_kernel<true><<<tiles(4 * channels), block>>>(normed, w_up, b_up, nullptr, wide, rows, channels, 4 * channels);
  product_kernel<false><<<tiles(channels), block>>>(wide, w_down, b_down, out, out, rows, 4 * channels, channels);
  cudaFree(room);
  // END: block
