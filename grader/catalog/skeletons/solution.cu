// @ID@: @TITLE@.
//
//   out[i] = x[i]      x, out [N]
//
// Fill in `body`.  WRITE: the task in three sentences, with the formula and the shapes
//
//   grader @ID@     grader hint @ID@     grader lesson @ID@
//
// All of this file is yours to change, launches too; only the last function keeps its name and parameters.
#include <cuda_runtime.h>

constexpr int kThreads = 256;  // of a block

__global__ void @SLUG@_kernel(const float* __restrict__ x, float* __restrict__ out, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  // FILL ME IN: body (roughly 1 line)
  if (i < n) out[i] = x[i];  // WRITE: the reference, as it should be read
  // END: body
}

void @SLUG@(const float* x, float* out, int n) {
  @SLUG@_kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(x, out, n);
}
