// ENTRY: kernel
// CLASS: tail
// CAUSE: Hidden / kTile is rounded down, the last values of h are missing in both sums.
// SAYS: \bh
// SAYS: whole|tail|behind|last|left
// NEVER: \brace\b|barrier
// HELD: yes
// FILL ME IN: kernel (roughly 55 lines)
constexpr int kTile = 32, kEach = 4, kDown = kTile / kEach;
__global__ void swiglu_kernel(const float* __restrict__ x, const float* __restrict__ gate, const float* __restrict__ up,
                              float* __restrict__ out, int rows, int hidden, int width) {
  __shared__ float tx[kTile][kTile], tg[kTile][kTile + 1], tu[kTile][kTile + 1];
  const int f = blockIdx.x * kTile + threadIdx.x, first_row = blockIdx.y * kTile, first_f = blockIdx.x * kTile;
  float g[kEach] = {}, u[kEach] = {};
  for (int step = 0; step < hidden / kTile; ++step) {
    const int h0 = step * kTile;
    const int h = h0 + threadIdx.x;
    for (int i = threadIdx.y; i < kTile; i += kDown) {
      tx[i][threadIdx.x] = first_row + i < rows && h < hidden ? x[static_cast<size_t>(first_row + i) * hidden + h] : 0.0f;
      const bool there = first_f + i < width && h < hidden;
      tg[i][threadIdx.x] = there ? gate[static_cast<size_t>(first_f + i) * hidden + h] : 0.0f;
      tu[i][threadIdx.x] = there ? up[static_cast<size_t>(first_f + i) * hidden + h] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      for (int j = 0; j < kEach; ++j) {
        g[j] += tx[threadIdx.y + j * kDown][k] * tg[threadIdx.x][k];
        u[j] += tx[threadIdx.y + j * kDown][k] * tu[threadIdx.x][k];
      }
    __syncthreads();
  }
  for (int j = 0; j < kEach; ++j) {
    const int r = first_row + threadIdx.y + j * kDown;
    if (r < rows && f < width) out[static_cast<size_t>(r) * width + f] = g[j] / (1.0f + expf(-g[j])) * u[j];
  }
}
// END: kernel
  // FILL ME IN: launch (roughly 3 lines)
  const dim3 grid((width + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  swiglu_kernel<<<grid, dim3(kTile, kDown)>>>(x, gate, up, out, rows, hidden, width);
  // END: launch
