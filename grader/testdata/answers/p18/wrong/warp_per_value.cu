// ENTRY: kernel
// CLASS: over-budget
// CAUSE: A warp makes one value of out at a time and reads its rows of x, gate and up for it: no tile, no reuse.
// SAYS: x\b|gate|up|sectors|read|times
// SAYS: times|more|apart|passes
// NEVER: wrong (answer|result|value)
// HELD: no
// FILL ME IN: kernel (roughly 55 lines)
__global__ void warp_values(const float* x, const float* gate, const float* up, float* out, int rows, int hidden, int width) {
  const long value = ((long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (value >= (long)rows * width) return;
  const long row = value / width, f = value % width;
  float g = 0, u = 0;
  for (int h = lane; h < hidden; h += 32) {
    const float v = x[row * hidden + h];
    g += v * gate[f * hidden + h];
    u += v * up[f * hidden + h];
  }
  for (int d = 16; d; d /= 2) {
    g += __shfl_xor_sync(~0u, g, d);
    u += __shfl_xor_sync(~0u, u, d);
  }
  if (lane == 0) out[value] = g / (1 + expf(-g)) * u;
}
// END: kernel
// FILL ME IN: launch (roughly 3 lines)
  warp_values<<<((long)rows * width + 3) / 4, 128>>>(x, gate, up, out, rows, hidden, width);
// END: launch
