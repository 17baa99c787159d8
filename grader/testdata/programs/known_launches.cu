// Launches that repeat others, again and again, while everything that a runtime offers changes what they
// read: what is known of an earlier one may be used only where nothing has.
//# exit 0
//# stdout copies ok
//# stdout fills ok
//# stdout sums ok
//# stdout pinned ok
//# stdout managed ok
//# stdout registered ok
//# stdout symbols ok
//# stdout graph ok
//# stdout fresh ok
#include <cstdio>
#include <cstdlib>

constexpr int kCount = 2048, kRounds = 24;

__constant__ int factor = 1;

// Long enough to be worth remembering; the compiler cannot know that it adds nothing.
__device__ int nothing(int value) {
  for (int i = 0; i < 200; ++i) value = value * 5 ^ (value >> 3);
  return value == 0x7ffffff1;
}
__global__ void store(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * factor + nothing(in[i]);
}
__global__ void add(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] += in[i] + nothing(in[i]);
}

int *in, *out;

void run_store(const int* from) { store<<<kCount / 64, 64>>>(out, from); }
int last() {
  int value;
  cudaMemcpy(&value, out + kCount - 1, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}
void set(int* to, int value) {
  static int host[kCount];
  for (int& element : host) element = value;
  cudaMemcpy(to, host, sizeof host, cudaMemcpyHostToDevice);
}

/// In most rounds nothing changes, in some the input does.
template <class Change, class Run>
void rounds(const char* what, Change change, Run run) {
  bool right = true;
  int value = 1;
  change(value);
  for (int i = 0; i < kRounds; ++i) {
    if (i % 8 == 7) change(++value);
    run();
    right = right && last() == value;
  }
  std::printf("%s %s\n", what, right ? "ok" : "WRONG");
}

/// The host writes the input, and reads the output behind it, without a call. `device`: the same as a kernel
/// sees it.
void no_call(const char* what, int* host, int* device) {
  bool right = true;
  for (int i = 0; i < kRounds; ++i) {
    for (int at = 0; at < kCount; ++at) host[at] = i / 8;
    store<<<kCount / 64, 64>>>(device + kCount, device);
    cudaDeviceSynchronize();
    right = right && host[2 * kCount - 1] == i / 8;
  }
  std::printf("%s %s\n", what, right ? "ok" : "WRONG");
}

int main() {
  cudaMalloc(&in, kCount * sizeof(int));
  cudaMalloc(&out, kCount * sizeof(int));
  const auto launch = [] { run_store(in); };
  rounds(
      "copies", [](int value) { set(in, value); }, launch);
  rounds(
      "fills",
      [](int value) {
        cudaMemset(in, 0, kCount * sizeof(int));
        cudaMemset2D(in, sizeof(int), value, 1, kCount);
      },
      launch);

  set(in, 1);
  cudaMemset(out, 0, kCount * sizeof(int));
  bool right = true;
  for (int i = 1; i <= kRounds; ++i) {
    add<<<kCount / 64, 64>>>(out, in);
    right = right && last() == i;
  }
  for (int i = 1; i <= kRounds; ++i) {
    cudaMemsetAsync(out, 0, kCount * sizeof(int));
    add<<<kCount / 64, 64>>>(out, in);
    right = right && last() == 1;
  }
  std::printf("sums %s\n", right ? "ok" : "WRONG");

  constexpr std::size_t kBoth = 2 * kCount * sizeof(int);
  int *pinned, *managed, *mapped, *registered = static_cast<int*>(std::malloc(kBoth));
  cudaMallocHost(&pinned, kBoth);
  no_call("pinned", pinned, pinned);
  cudaFreeHost(pinned);
  cudaMallocManaged(&managed, kBoth);
  no_call("managed", managed, managed);
  cudaFree(managed);
  cudaHostRegister(registered, kBoth, 0);
  cudaHostGetDevicePointer(&mapped, registered, 0);
  no_call("registered", registered, mapped);
  cudaHostUnregister(registered);

  set(in, 1);
  rounds(
      "symbols", [](int value) { cudaMemcpyToSymbol(factor, &value, sizeof value); }, launch);
  const int one = 1;
  cudaMemcpyToSymbol(factor, &one, sizeof one);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<kCount / 64, 64, 0, stream>>>(out, in);
  cudaMemsetAsync(out, 0, kCount * sizeof(int), stream);
  add<<<kCount / 64, 64, 0, stream>>>(out, in);
  add<<<kCount / 64, 64, 0, stream>>>(out, in);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  right = true;
  for (int i = 1; i <= kRounds; ++i) {
    set(in, i / 8);
    cudaGraphLaunch(exec, stream);
    right = right && last() == 2 * (i / 8);
  }
  std::printf("graph %s\n", right ? "ok" : "WRONG");

  // The same addresses, time and again, and nothing in them.
  right = true;
  for (int i = 1; i <= kRounds; ++i) {
    int* fresh;
    cudaMalloc(&fresh, kCount * sizeof(int));
    cudaMemset(fresh, i / 8, kCount * sizeof(int));
    run_store(fresh);
    right = right && last() == i / 8 * 0x01010101;
    cudaFree(fresh);
  }
  std::printf("fresh %s\n", right ? "ok" : "WRONG");
}
