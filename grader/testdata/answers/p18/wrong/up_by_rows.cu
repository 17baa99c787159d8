// ENTRY: kernel
// CLASS: index
// CAUSE: The tile of up is read with rows and columns exchanged.
// SAYS: up
// SAYS: exchanged|transposed|rows? (and|for) columns?
// NEVER: \brace\b|barrier|bank
// HELD: no
  // FILL ME IN: kernel (roughly 21 lines)
constexpr int kTile = 16;
__device__ float silu(float g) { return g / (1.0f + expf(-g)); }
__global__ void kernel(const float* __restrict__ x, const float* __restrict__ gate, const float* __restrict__ up,
                       float* __restrict__ out, int rows, int hidden, int width) {
  __shared__ float xs[kTile][kTile + 1], gs[kTile][kTile + 1], us[kTile][kTile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * kTile + ty, f = blockIdx.x * kTile + tx;
  float g = 0.0f, u = 0.0f;
  for (int k0 = 0; k0 < hidden; k0 += kTile) {
    const int k = k0 + tx, other = blockIdx.x * kTile + ty;
    xs[ty][tx] = row < rows && k < hidden ? x[static_cast<size_t>(row) * hidden + k] : 0.0f;
    gs[ty][tx] = other < width && k < hidden ? gate[static_cast<size_t>(other) * hidden + k] : 0.0f;
    us[ty][tx] = other < width && k < hidden ? up[static_cast<size_t>(other) * hidden + k] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      g += xs[ty][i] * gs[tx][i];
      u += xs[ty][i] * us[i][tx];
    }
    __syncthreads();
  }
  if (row < rows && f < width) out[static_cast<size_t>(row) * width + f] = silu(g) * u;
}
  // END: kernel
  // FILL ME IN: launch (roughly 2 lines)
  const dim3 grid((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  kernel<<<grid, dim3(kTile, kTile)>>>(x, gate, up, out, rows, hidden, width);
  // END: launch
