// ENTRY: fused
// CLASS: over-budget
// CAUSE: A thread for each output: the lanes walk along 32 different rows of the weight, and each request touches 32 sectors.
// SAYS: weight
// SAYS: sectors?|coalesc|neighbour|apart|lanes|stride
// NEVER: extra launch|normali[sz]e once|wrong (answer|result|value)
// HELD: no
#include <cuda_runtime.h>

constexpr int kThreads = 128;  // of a block that works on one position
constexpr int kWarps = kThreads / 32;
constexpr int kTile = 32;  // side of the tiles of transpose and product

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// The sum of `value` over the block, for each of its threads. All of them must call it: it has barriers.
__device__ float block_sum(float value) {
  __shared__ float partial[kWarps];
  value = warp_sum(value);
  __syncthreads();  // someone may still be reading the sums of the last call
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0.0f;
  for (int warp = 0; warp < kWarps; ++warp) total += partial[warp];
  return total;
}

// Unfused, 1 of 4: x [M,H] -> normalized [M,H]. One block of kThreads threads for each of the M = B*S rows.
__global__ void layernorm_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                 const float* __restrict__ beta, float* __restrict__ normalized, int hidden,
                                 float eps) {
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * hidden;
  float* normalized_row = normalized + static_cast<size_t>(blockIdx.x) * hidden;
  // FILL ME IN: layernorm (roughly 11 lines)
  float sum = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) sum += x_row[h];
  const float mean = block_sum(sum) / hidden;
  float squares = 0.0f;  // in a second pass: E[x^2] - mean^2 would cancel where |mean| is large
  for (int h = threadIdx.x; h < hidden; h += kThreads) squares += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf(block_sum(squares) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads)
    normalized_row[h] = (x_row[h] - mean) * rstd * gamma[h] + beta[h];
  // END: layernorm
}

// Unfused, 2 of 4: weight [O,H] -> weight_t [H,O]. Padding keeps the values of a column in different banks.
__global__ void transpose_kernel(const float* __restrict__ weight, float* __restrict__ weight_t, int out_dim,
                                 int hidden) {
  __shared__ float tile[kTile][kTile + 1];
  const int h = blockIdx.x * kTile + threadIdx.x, o = blockIdx.y * kTile + threadIdx.y;
  if (h < hidden && o < out_dim) tile[threadIdx.y][threadIdx.x] = weight[static_cast<size_t>(o) * hidden + h];
  __syncthreads();
  const int to_o = blockIdx.y * kTile + threadIdx.x, to_h = blockIdx.x * kTile + threadIdx.y;
  if (to_h < hidden && to_o < out_dim)
    weight_t[static_cast<size_t>(to_h) * out_dim + to_o] = tile[threadIdx.x][threadIdx.y];
}

// Unfused, 3 of 4: normalized [M,H] times weight_t [H,O] -> product [M,O]. A value is read once per tile.
__global__ void matmul_kernel(const float* __restrict__ normalized, const float* __restrict__ weight_t,
                              float* __restrict__ product, int rows, int hidden, int out_dim) {
  __shared__ float a[kTile][kTile], b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, o = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < hidden; first += kTile) {
    const int a_h = first + threadIdx.x, b_h = first + threadIdx.y;
    a[threadIdx.y][threadIdx.x] =
        row < rows && a_h < hidden ? normalized[static_cast<size_t>(row) * hidden + a_h] : 0.0f;
    b[threadIdx.y][threadIdx.x] =
        b_h < hidden && o < out_dim ? weight_t[static_cast<size_t>(b_h) * out_dim + o] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && o < out_dim) product[static_cast<size_t>(row) * out_dim + o] = sum;
}

// Unfused, 4 of 4: product [M,O] + bias [O] -> out [M,O].
__global__ void bias_kernel(const float* __restrict__ product, const float* __restrict__ bias,
                            float* __restrict__ out, int out_dim) {
  const size_t base = static_cast<size_t>(blockIdx.x) * out_dim;
  for (int o = threadIdx.x; o < out_dim; o += blockDim.x) out[base + o] = product[base + o] + bias[o];
}

// Fused: one block of kThreads threads for each position; nothing between LayerNorm and Linear leaves the SM.
__global__ void layernorm_linear_kernel(const float* __restrict__ x, const float* __restrict__ gamma,
                                        const float* __restrict__ beta, const float* __restrict__ weight,
                                        const float* __restrict__ bias, float* __restrict__ out, int hidden,
                                        int out_dim, float eps) {
  extern __shared__ float normalized[];  // [H]: the row of this position after LayerNorm
  const float* x_row = x + static_cast<size_t>(blockIdx.x) * hidden;
  float* out_row = out + static_cast<size_t>(blockIdx.x) * out_dim;
  // Must leave LayerNorm of x_row in `normalized`, where every thread of the block may then read all of it.
  // FILL ME IN: fused_stats (roughly 10 lines)
  float sum = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) sum += x_row[h];
  const float mean = block_sum(sum) / hidden;
  float squares = 0.0f;
  for (int h = threadIdx.x; h < hidden; h += kThreads) squares += (x_row[h] - mean) * (x_row[h] - mean);
  const float rstd = rsqrtf(block_sum(squares) / hidden + eps);
  for (int h = threadIdx.x; h < hidden; h += kThreads)
    normalized[h] = (x_row[h] - mean) * rstd * gamma[h] + beta[h];
  __syncthreads();  // other warps are about to read what this one wrote
  // END: fused_stats
  // Must write out_row[o] for every o, from `normalized`, weight and bias.
// FILL ME IN: fused_output (roughly 10 lines)
  for (int o = threadIdx.x; o < out_dim; o += kThreads) {
    const float* weight_row = weight + static_cast<size_t>(o) * hidden;
    float dot = bias[o];
    for (int h = 0; h < hidden; ++h) dot += normalized[h] * weight_row[h];
    out_row[o] = dot;
  }
// END: fused_output
}

void layernorm_linear_unfused(const float* x, const float* gamma, const float* beta, const float* weight,
                              const float* bias, float* out, int batch, int seq, int hidden, int out_dim,
                              float eps) {
  const int rows = batch * seq;
  float *normalized, *weight_t, *product;
  cudaMalloc(&normalized, sizeof(float) * rows * hidden);
  cudaMalloc(&weight_t, sizeof(float) * hidden * out_dim);
  cudaMalloc(&product, sizeof(float) * rows * out_dim);
  const dim3 tile(kTile, kTile);
  const int h_tiles = (hidden + kTile - 1) / kTile, o_tiles = (out_dim + kTile - 1) / kTile;
  const dim3 product_tiles(o_tiles, (rows + kTile - 1) / kTile);
  layernorm_kernel<<<rows, kThreads>>>(x, gamma, beta, normalized, hidden, eps);
  transpose_kernel<<<dim3(h_tiles, o_tiles), tile>>>(weight, weight_t, out_dim, hidden);
  matmul_kernel<<<product_tiles, tile>>>(normalized, weight_t, product, rows, hidden, out_dim);
  bias_kernel<<<rows, kThreads>>>(product, bias, out, out_dim);
  cudaFree(product);
  cudaFree(weight_t);
  cudaFree(normalized);
}

void layernorm_linear_fused(const float* x, const float* gamma, const float* beta, const float* weight,
                            const float* bias, float* out, int batch, int seq, int hidden, int out_dim,
                            float eps) {
  // The row must fit into 48 KB of shared memory: H <= 12000 or so.
  layernorm_linear_kernel<<<batch * seq, kThreads, sizeof(float) * hidden>>>(x, gamma, beta, weight, bias,
                                                                             out, hidden, out_dim, eps);
}
