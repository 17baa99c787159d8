// Graphs, captured and made by hand; a wrong answer prints its line and ends with exit code 7.
//# stdout all right
#include <cstdio>
#include <cstdlib>
#include <vector>

#define OK(call) check((call), cudaSuccess, #call, __LINE__)
#define FAILS(error, call) check((call), (error), #call, __LINE__)
#define TRUE(condition) ((condition) ? void() : wrong(#condition, __LINE__))

#if CUDART_VERSION >= 13000
#define EDGE_DATA nullptr,
#else
#define EDGE_DATA
#endif

namespace {

void wrong(const char* what, int line) {
  std::printf("line %d: %s\n", line, what);
  std::exit(7);
}
void check(cudaError_t got, cudaError_t expected, const char* call, int line) {
  if (got == expected) return;
  std::printf("line %d: %s is %s, not %s\n", line, call, cudaGetErrorName(got), cudaGetErrorName(expected));
  std::exit(7);
}

constexpr int kCount = 1000, kBlock = 256, kGrid = 4;

__global__ void add(float* x, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += value;
}
__global__ void scale(float* x, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= value;
}

float *first, *second;
std::vector<float> host(kCount);
cudaStream_t stream, other;

void captured() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  OK(cudaMemset(first, 0, kCount * sizeof(float)));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(stream, &status));
  TRUE(status == cudaStreamCaptureStatusActive);
  float value = 1;
  for (int i = 0; i < 3; ++i) {
    add<<<kGrid, kBlock, 0, stream>>>(first, value, kCount);
    scale<<<kGrid, kBlock, 0, stream>>>(first, 2, kCount);
  }
  value = 100;  // the graph has read its arguments
  OK(cudaMemcpyAsync(host.data(), first, kCount * sizeof(float), cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  std::size_t count = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &count));
  TRUE(count == 7 && host[7] == 0);
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphDestroy(graph));
  for (int i = 0; i < 2; ++i) OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  TRUE(host[7] == 126);
  OK(cudaGraphExecDestroy(exec));
  FAILS(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
}

void forked() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaEvent_t fork, join;
  OK(cudaEventCreate(&fork));
  OK(cudaEventCreate(&join));
  OK(cudaMemset(second, 0, kCount * sizeof(float)));
  const auto record = [&](bool joined) {
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    add<<<kGrid, kBlock, 0, stream>>>(first, 5, kCount);
    OK(cudaEventRecord(fork, stream));
    OK(cudaStreamWaitEvent(other, fork, 0));
    add<<<kGrid, kBlock, 0, other>>>(second, 3, kCount);
    OK(cudaEventRecord(join, other));
    if (joined) OK(cudaStreamWaitEvent(stream, join, 0));
    scale<<<kGrid, kBlock, 0, stream>>>(second, 2, kCount);
  };
  record(false);
  FAILS(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(stream, &graph));
  record(true);
  OK(cudaStreamEndCapture(stream, &graph));
  std::size_t edges = 0;
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, EDGE_DATA &edges));
  TRUE(edges == 3);
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, other));
  OK(cudaMemcpy(host.data(), second, kCount * sizeof(float), cudaMemcpyDeviceToHost));
  TRUE(host[0] == 6);
}

void by_hand() {
  cudaGraph_t graph;
  cudaGraphNode_t clear, upload, adds, scales, download, call;
  OK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams zeros = {};
  zeros.dst = first;
  zeros.elementSize = 4;
  zeros.width = kCount;
  zeros.height = 1;
  OK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &zeros));
  const std::vector<float> twos(kCount, 2.0f);
  OK(cudaGraphAddMemcpyNode1D(&upload, graph, nullptr, 0, second, twos.data(), kCount * sizeof(float),
                              cudaMemcpyHostToDevice));
  float value = 4;
  int count = kCount;
  void *to_first[] = {&first, &value, &count}, *to_second[] = {&second, &value, &count};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3(kGrid);
  kernel.blockDim = dim3(kBlock);
  kernel.kernelParams = to_first;
  OK(cudaGraphAddKernelNode(&adds, graph, &clear, 1, &kernel));
  value = 10;
  kernel.func = reinterpret_cast<void*>(scale);
  kernel.kernelParams = to_second;
  OK(cudaGraphAddKernelNode(&scales, graph, &upload, 1, &kernel));
  OK(cudaGraphAddDependencies(graph, &adds, &scales, EDGE_DATA 1));
  FAILS(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &adds, &scales, EDGE_DATA 1));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(second, kCount * sizeof(float), kCount, 1);
  copy.dstPtr = make_cudaPitchedPtr(host.data(), kCount * sizeof(float), kCount, 1);
  copy.extent = make_cudaExtent(kCount * sizeof(float), 1, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  OK(cudaGraphAddMemcpyNode(&download, graph, &scales, 1, &copy));
  int calls = 0;
  cudaHostNodeParams host_node = {[](void* data) { ++*static_cast<int*>(data); }, &calls};
  OK(cudaGraphAddHostNode(&call, graph, &download, 1, &host_node));
  std::size_t roots = 0;
  OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  TRUE(roots == 2);

  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  TRUE(host[0] == 20 && calls == 3);
  value = 100;
  OK(cudaGraphExecKernelNodeSetParams(exec, scales, &kernel));
  OK(cudaGraphLaunch(exec, stream));
  TRUE(host[0] == 200);
  cudaKernelNodeParams asked;
  OK(cudaGraphKernelNodeGetParams(scales, &asked));
  TRUE(asked.gridDim.x == kGrid && *static_cast<float*>(asked.kernelParams[1]) == 10);
  OK(cudaGraphExecUpdate(exec, graph, nullptr));
  OK(cudaGraphLaunch(exec, stream));
  TRUE(host[0] == 20);

  cudaGraph_t clone;
  cudaGraphExec_t of_clone;
  OK(cudaGraphClone(&clone, graph));
  cudaGraphNode_t mine;
  OK(cudaGraphNodeFindInClone(&mine, call, clone));
  OK(cudaGraphDestroyNode(mine));
  OK(cudaGraphInstantiate(&of_clone, clone, 0));
  OK(cudaGraphLaunch(of_clone, stream));
  TRUE(calls == 5);
  cudaGraphExecUpdateResultInfo info;
  FAILS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, clone, &info));
  TRUE(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  OK(cudaGraphAddDependencies(clone, &mine, &mine, EDGE_DATA 0));
  OK(cudaGraphAddDependencies(graph, &call, &clear, EDGE_DATA 1));
  FAILS(cudaErrorInvalidValue, cudaGraphInstantiate(&of_clone, graph, 0));  // a circle
}

void mistakes() {
  cudaGraph_t graph;
  FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  FAILS(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  FAILS(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  add<<<kGrid, kBlock, 0, stream>>>(first, 1, kCount);
  TRUE(cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
  FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<kGrid, kBlock>>>(first, 1, kCount);
  TRUE(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
  FAILS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
}

}  // namespace

int main() {
  OK(cudaMalloc(&first, kCount * sizeof(float)));
  OK(cudaMalloc(&second, kCount * sizeof(float)));
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreate(&other));
  captured();
  forked();
  by_hand();
  mistakes();
  OK(cudaDeviceSynchronize());
  std::puts("all right");
}
