// ENTRY: kernel
// CLASS: missing-term
// CAUSE: silu is applied to u as well as to g.
// SAYS: silu|sigmoid|\bu\b|\bg\b
// SAYS: \bu\b|both|twice|factor|silu|out\b
// NEVER: \brace\b
// NEVER: never (been )?written
// HELD: no
// FILL ME IN: kernel (roughly 55 lines)
constexpr int T = 16;
__device__ float silu(float v) { return v / (1.0f + expf(-v)); }
__global__ void swiglu_tiles(const float* x, const float* gate, const float* up, float* out, int rows, int hidden,
                             int width) {
  __shared__ float xs[T][T + 1], gs[T][T + 1], us[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, f = blockIdx.x * T + tx, load_f = blockIdx.x * T + ty;
  float g = 0, u = 0;
  for (int h0 = 0; h0 < hidden; h0 += T) {
    const int h = h0 + tx;
    xs[ty][tx] = row < rows && h < hidden ? x[(size_t)row * hidden + h] : 0;
    gs[ty][tx] = load_f < width && h < hidden ? gate[(size_t)load_f * hidden + h] : 0;
    us[ty][tx] = load_f < width && h < hidden ? up[(size_t)load_f * hidden + h] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      g += xs[ty][k] * gs[tx][k];
      u += xs[ty][k] * us[tx][k];
    }
    __syncthreads();
  }
  if (row < rows && f < width) out[(size_t)row * width + f] = silu(g) * silu(u);
}
// END: kernel
// FILL ME IN: launch (roughly 3 lines)
  swiglu_tiles<<<dim3((width + T - 1) / T, (rows + T - 1) / T), dim3(T, T)>>>(x, gate, up, out, rows, hidden, width);
// END: launch
