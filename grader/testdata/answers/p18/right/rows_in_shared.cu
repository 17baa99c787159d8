// STYLE: 32 rows of x stay in dynamic shared memory; strips of the weights pass by
// FILL ME IN: kernel (roughly 55 lines)
constexpr int kRows = 32;
__global__ void strips(const float* x, const float* gate, const float* up, float* out, int rows, int hidden, int width) {
  extern __shared__ float xs[];
  __shared__ float gs[32][33], us[32][33];
  const int lane = threadIdx.x, warp = threadIdx.y, first = blockIdx.x * kRows;
  for (int r = warp; r < kRows; r += 8)
    for (int h = lane; h < hidden; h += 32) xs[r * hidden + h] = first + r < rows ? x[(size_t)(first + r) * hidden + h] : 0;
  for (int f0 = 0; f0 < width; f0 += 32) {
    float g[4] = {}, u[4] = {};
    for (int h0 = 0; h0 < hidden; h0 += 32) {
      __syncthreads();
      for (int f = warp; f < 32; f += 8) {
        const bool inside = f0 + f < width && h0 + lane < hidden;
        gs[f][lane] = inside ? gate[(size_t)(f0 + f) * hidden + h0 + lane] : 0;
        us[f][lane] = inside ? up[(size_t)(f0 + f) * hidden + h0 + lane] : 0;
      }
      __syncthreads();
      const int steps = min(32, hidden - h0);
      for (int k = 0; k < steps; ++k)
        for (int i = 0; i < 4; ++i) {
          const float value = xs[(warp + 8 * i) * hidden + h0 + k];
          g[i] += value * gs[lane][k];
          u[i] += value * us[lane][k];
        }
    }
    for (int i = 0; i < 4; ++i)
      if (first + warp + 8 * i < rows && f0 + lane < width)
        out[(size_t)(first + warp + 8 * i) * width + f0 + lane] = u[i] * g[i] / (1 + expf(-g[i]));
  }
}
// END: kernel
// FILL ME IN: launch (roughly 3 lines)
  const int bytes = kRows * hidden * sizeof(float);
  cudaFuncSetAttribute(strips, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  strips<<<(rows + kRows - 1) / kRows, dim3(32, 8), bytes>>>(x, gate, up, out, rows, hidden, width);
// END: launch
