// ENTRY: kernel
// CLASS: over-budget
// CAUSE: A thread makes one output and asks for all four steps and all four weights: x is asked for four times.
// SAYS: x\b|weight|requested|passes|times
// NEVER: barrier|\brace\b|coalesced
// HELD: no
#include <cuda_runtime.h>

__global__ void conv_each(const float* x, const float* weight, float* out, int steps, int channels) {
  // FILL ME IN: keep (roughly 7 lines)
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y;
  if (c >= channels) return;
  // END: keep
  // FILL ME IN: walk (roughly 16 lines)
  float y = 0;
  for (int k = 0; k < 4; k++)
    if (t - k >= 0) y += weight[k * channels + c] * x[(size_t)(t - k) * channels + c];
  out[(size_t)t * channels + c] = y;
  // END: walk
}

void causal_conv(const float* x, const float* weight, float* out, int steps, int channels) {
  // FILL ME IN: launch (roughly 2 lines)
  conv_each<<<dim3((channels + 127) / 128, steps), 128>>>(x, weight, out, steps, channels);
  // END: launch
}
