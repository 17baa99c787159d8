// STYLE: sums of blocks of 16, a stack of partial sums, the launch captured into a graph, constants in an array
#include <cuda_runtime.h>

__constant__ const int kLengths[2] = {16, 128};

__device__ float piecewise(const float* first, int count, float around, int power) {
  float total = 0.0f;
  for (int begin = 0; begin < count; begin += kLengths[0]) {
    float part = 0.0f;
    for (int i = begin; i < min(begin + kLengths[0], count); ++i) {
      const float d = first[i] - around;
      part += power == 2 ? d * d : d;
    }
    total += part;
  }
  return total;
}

__global__ void layernorm_kernel(const float* x, const float* gamma, const float* beta, float* out, float* mean,
                                 float* rstd, int rows, int columns, float eps) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
    const float* in = x + static_cast<size_t>(row) * columns;
    // FILL ME IN: statistics (roughly 8 lines)
    const float m = piecewise(in, columns, 0.0f, 1) / columns;
    const float r = rsqrtf(piecewise(in, columns, m, 2) / columns + eps);
    mean[row] = m;
    rstd[row] = r;
    // END: statistics
    // FILL ME IN: normalize (roughly 2 lines)
    for (int c = 0; c < columns; ++c)
      out[static_cast<size_t>(row) * columns + c] = fmaf((in[c] - m) * r, gamma[c], beta[c]);
    // END: normalize
  }
}

void layernorm(const float* x, const float* gamma, const float* beta, float* out, float* mean, float* rstd,
               int rows, int columns, float eps) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  layernorm_kernel<<<4, 96, 0, stream>>>(x, gamma, beta, out, mean, rstd, rows, columns, eps);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}
