// STYLE: the five launches captured from two streams into a graph with branches
// p28 adam_unfused: one step of the Adam optimiser over a whole tensor, a kernel for each formula.
//
//   m = beta1 m + (1 - beta1) g          m_hat = m / (1 - beta1^step)
//   v = beta2 v + (1 - beta2) g^2        v_hat = v / (1 - beta2^step)
//   p = p - lr m_hat / (sqrt(v_hat) + eps)
//
// Fill in the five blanks, then run:  grader p28
//
//   first_moment, second_moment   the new m and the new v, each in its place
//
//   correct    m_hat or v_hat: a moment divided by its correction, into a tensor of its own
//
//   update     the new p
//
//   launches   five of them, in an order in which everything is there when it is read
//
// p, m and v are changed in place. Steps count from 1. The number of parameters can be anything. Before you
// run it, count: how often do these five launches read or write a tensor? There are three answers about, 10,
// 11 and 14, and the grader will count one.

#include <cuda_runtime.h>

#include <cmath>

constexpr int kThreads = 256;

// The parameter of this thread. All tensors: [count].
__device__ long parameter_of_thread() { return static_cast<long>(blockIdx.x) * kThreads + threadIdx.x; }

// m = beta1 m + (1 - beta1) g
__global__ void first_moment_kernel(const float* __restrict__ gradients, float* __restrict__ m, long count,
                                    [[maybe_unused]] float beta1) {
  const long i = parameter_of_thread();
  if (i >= count) return;
  // FILL ME IN: first_moment (roughly 1 line)
  m[i] = fmaf(beta1, m[i], (1.0f - beta1) * gradients[i]);
  // END: first_moment
}

// v = beta2 v + (1 - beta2) g^2
__global__ void second_moment_kernel(const float* __restrict__ gradients, float* __restrict__ v, long count,
                                     [[maybe_unused]] float beta2) {
  const long i = parameter_of_thread();
  if (i >= count) return;
  // FILL ME IN: second_moment (roughly 2 lines)
  const float g = gradients[i];
  v[i] = fmaf(beta2, v[i], (1.0f - beta2) * (g * g));
  // END: second_moment
}

// hat = moment / correction
__global__ void correct_kernel(const float* __restrict__ moment, float* __restrict__ hat, long count,
                               [[maybe_unused]] float correction) {
  const long i = parameter_of_thread();
  if (i >= count) return;
  // FILL ME IN: correct (roughly 1 line)
  hat[i] = moment[i] / correction;
  // END: correct
}

// p = p - lr m_hat / (sqrt(v_hat) + eps)
__global__ void update_kernel(const float* __restrict__ m_hat, const float* __restrict__ v_hat,
                              float* __restrict__ parameters, long count, [[maybe_unused]] float lr,
                              [[maybe_unused]] float eps) {
  const long i = parameter_of_thread();
  if (i >= count) return;
  // FILL ME IN: update (roughly 1 line)
  parameters[i] -= lr * m_hat[i] / (sqrtf(v_hat[i]) + eps);
  // END: update
}

// parameters, m, v: [count], changed in place; gradients: [count]; device memory. step >= 1.
void adam_step(float* parameters, const float* gradients, float* m, float* v, long count, float lr,
               float beta1, float beta2, float eps, int step) {
  if (count == 0) return;  // A grid of no blocks is an error, not an empty launch.
  float *m_hat, *v_hat;    // [count]: two tensors that are nobody's answer
  cudaMalloc(&m_hat, sizeof(float) * count);
  cudaMalloc(&v_hat, sizeof(float) * count);
  // FILL ME IN: launches (roughly 10 lines)
  // m and v know nothing of each other until the update: the five launches are a graph with two branches,
  //   first moment -> correct --+
  //                             +--> update
  //   second moment -> correct -+
  // recorded from two streams (nothing runs while it is), and then put into the default stream as one.
  const unsigned blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  const auto correction = [step](float beta) {
    return static_cast<float>(1.0 - std::pow(static_cast<double>(beta), step));
  };
  cudaStream_t of_m, of_v;
  cudaEvent_t fork, join;
  cudaStreamCreateWithFlags(&of_m, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&of_v, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);

  cudaStreamBeginCapture(of_m, cudaStreamCaptureModeThreadLocal);
  cudaEventRecord(fork, of_m);
  cudaStreamWaitEvent(of_v, fork, 0);
  first_moment_kernel<<<blocks, kThreads, 0, of_m>>>(gradients, m, count, beta1);
  correct_kernel<<<blocks, kThreads, 0, of_m>>>(m, m_hat, count, correction(beta1));
  second_moment_kernel<<<blocks, kThreads, 0, of_v>>>(gradients, v, count, beta2);
  correct_kernel<<<blocks, kThreads, 0, of_v>>>(v, v_hat, count, correction(beta2));
  cudaEventRecord(join, of_v);
  cudaStreamWaitEvent(of_m, join, 0);
  update_kernel<<<blocks, kThreads, 0, of_m>>>(m_hat, v_hat, parameters, count, lr, eps);
  cudaGraph_t graph;
  cudaStreamEndCapture(of_m, &graph);

  cudaGraphExec_t step_graph;
  cudaGraphInstantiate(&step_graph, graph, 0);
  cudaGraphLaunch(step_graph, nullptr);
  cudaStreamSynchronize(nullptr);  // before everything it uses is taken away

  cudaGraphExecDestroy(step_graph);
  cudaGraphDestroy(graph);
  cudaEventDestroy(join);
  cudaEventDestroy(fork);
  cudaStreamDestroy(of_v);
  cudaStreamDestroy(of_m);
  // END: launches
  cudaFree(v_hat);
  cudaFree(m_hat);
}
