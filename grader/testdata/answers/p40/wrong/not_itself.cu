// ENTRY: kernel
// CLASS: control-flow
// CAUSE: A position does not look at itself.
// SAYS: mask|position|key
// SAYS: before|- 1|itself
// NEVER: \brace\b|barrier
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

// A warp for a query. Two values of the head for each lane.
__global__ void attention_kernel(const float* __restrict__ qkv, float* __restrict__ out, int batch, int seq, int channels, int heads) {
  const int task = blockIdx.x * 4 + threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  if (task >= batch * heads * seq) return;
  const int t = task % seq, head = task / seq % heads, b = task / seq / heads, size = channels / heads;
  const size_t pitch = 3 * static_cast<size_t>(channels);
  const float* q = qkv + (static_cast<size_t>(b) * seq + t) * pitch + head * size;
  const float* k = qkv + static_cast<size_t>(b) * seq * pitch + channels + head * size;
  const float* v = k + channels;
  const float scale = 1.0f / sqrtf(static_cast<float>(size));
  const bool one = lane < size, two = lane + kWarp < size;
  const float q1 = one ? q[lane] * scale : 0.0f, q2 = two ? q[lane + kWarp] * scale : 0.0f;
  float largest = -1e30f, sum = 0.0f, r1 = 0.0f, r2 = 0.0f;
  for (int s = 0; s < t; ++s) {
    const float score = warp_total((one ? q1 * k[s * pitch + lane] : 0.0f) + (two ? q2 * k[s * pitch + lane + kWarp] : 0.0f));
    const float now = fmaxf(largest, score), old = expf(largest - now), p = expf(score - now);
    sum = sum * old + p;
    r1 = r1 * old + (one ? p * v[s * pitch + lane] : 0.0f);
    r2 = r2 * old + (two ? p * v[s * pitch + lane + kWarp] : 0.0f);
    largest = now;
  }
  float* to = out + (static_cast<size_t>(b) * seq + t) * channels + head * size;
  if (one) to[lane] = r1 / sum;
  if (two) to[lane + kWarp] = r2 / sum;
}
// END: kernels
  // FILL ME IN: block (roughly 30 lines)
  const int rows = batch * seq;
  const size_t plane = sizeof(float) * rows * channels;
  float *normed, *qkv, *mixed, *h, *wide;
  cudaMalloc(&normed, plane);
  cudaMalloc(&qkv, 3 * plane);
  cudaMalloc(&mixed, plane);
  cudaMalloc(&h, plane);
  cudaMalloc(&wide, 4 * plane);
  const auto tiles = [&](int columns) { return dim3((columns + 31) / 32, (rows + 31) / 32); };
  const dim3 block(32, 8);
  norm_kernel<<<(rows + 3) / 4, 128>>>(x, gamma1, beta1, normed, rows, channels, eps);
  product_kernel<false><<<tiles(3 * channels), block>>>(normed, w_qkv, nullptr, nullptr, qkv, rows, channels, 3 * channels);
  attention_kernel<<<(batch * heads * seq + 3) / 4, 128>>>(qkv, mixed, batch, seq, channels, heads);
  product_kernel<false><<<tiles(channels), block>>>(mixed, w_out, nullptr, x, h, rows, channels, channels);
  norm_kernel<<<(rows + 3) / 4, 128>>>(h, gamma2, beta2, normed, rows, channels, eps);
  product_kernel<true><<<tiles(4 * channels), block>>>(normed, w_up, b_up, nullptr, wide, rows, channels, 4 * channels);
  product_kernel<false><<<tiles(channels), block>>>(wide, w_down, b_down, h, out, rows, 4 * channels, channels);
  for (float* p : {normed, qkv, mixed, h, wide}) cudaFree(p);
  // END: block
