// LayerNorm as a first course writes it: a block of 256 threads per row, two sums reduced as a tree in shared memory.

extern "C" __global__ void layernorm(const float* x, const float* gamma, const float* beta, float* out, int columns,
                                     float epsilon) {
  __shared__ float sums[256];
  const float* row = x + static_cast<long long>(blockIdx.x) * columns;
  float* out_row = out + static_cast<long long>(blockIdx.x) * columns;

  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += row[c];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  const float mean = sums[0] / columns;
  __syncthreads();

  float squares = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) squares += (row[c] - mean) * (row[c] - mean);
  sums[threadIdx.x] = squares;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  const float scale = rsqrtf(sums[0] / columns + epsilon);

  for (int c = threadIdx.x; c < columns; c += blockDim.x) out_row[c] = (row[c] - mean) * scale * gamma[c] + beta[c];
}
