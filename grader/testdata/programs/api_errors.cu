// What CUDA answers to wrong use, by its own names; a wrong answer prints its line and ends with exit code 7.
//# stdout all as CUDA says
#include <cstdio>
#include <cstdlib>

#define FAILS(error, call) check((call), (error), #call, __LINE__)
#define OK(call) FAILS(cudaSuccess, call)
#define LAUNCH_FAILS(error, ...) (__VA_ARGS__, check(cudaGetLastError(), (error), #__VA_ARGS__, __LINE__))

void check(cudaError_t got, cudaError_t expected, const char* call, int line) {
  if (got == expected) return;
  std::printf("line %d: %s is %s, not %s\n", line, call, cudaGetErrorName(got), cudaGetErrorName(expected));
  std::exit(7);
}

__global__ void set(int* x) { x[0] = 1; }
__global__ void __launch_bounds__(64) small(int* x) { x[0] = 1; }
__constant__ int table[4];

int main() {
  int *x, host[4] = {}, *null = nullptr;
  void* nothing = nullptr;
  OK(cudaMalloc(&x, 64));

  FAILS(cudaErrorInvalidValue, cudaMalloc(static_cast<void**>(nullptr), 4));
  FAILS(cudaErrorMemoryAllocation, cudaMalloc(&nothing, ~std::size_t{0} / 2));
  OK(cudaMalloc(&nothing, 0));
  FAILS(cudaErrorInvalidValue, cudaFree(host));
  FAILS(cudaErrorInvalidValue, cudaFree(x + 1));
  OK(cudaFree(nullptr));
  FAILS(cudaErrorInvalidValue, cudaFreeHost(x));
  FAILS(cudaErrorInvalidValue, cudaMallocManaged(&nothing, 0));

  FAILS(cudaErrorInvalidValue, cudaMemcpy(x, null, 4, cudaMemcpyHostToDevice));
  FAILS(cudaErrorInvalidValue, cudaMemcpy(x, host, 65, cudaMemcpyHostToDevice));
  FAILS(cudaErrorInvalidValue, cudaMemcpy(host, host + 2, 4, cudaMemcpyDeviceToHost));
  FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(x, host, 4, static_cast<cudaMemcpyKind>(9)));
  OK(cudaMemcpy(x, host, 16, cudaMemcpyDefault));
  OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  FAILS(cudaErrorInvalidValue, cudaMemcpyToSymbol(table, host, 17));
  FAILS(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(host, host, 4));
  FAILS(cudaErrorInvalidValue, cudaMemset(x, 0, 65));
  FAILS(cudaErrorInvalidValue, cudaMemset(host, 0, 4));
  FAILS(cudaErrorInvalidPitchValue, cudaMemcpy2D(x, 4, host, 8, 8, 2, cudaMemcpyHostToDevice));

  LAUNCH_FAILS(cudaErrorInvalidConfiguration, set<<<1, 1025>>>(x));
  LAUNCH_FAILS(cudaErrorInvalidConfiguration, set<<<1, dim3(1, 1, 65)>>>(x));
  LAUNCH_FAILS(cudaErrorInvalidConfiguration, set<<<dim3(1, 65536), 1>>>(x));
  LAUNCH_FAILS(cudaErrorInvalidConfiguration, set<<<0, 1>>>(x));
  LAUNCH_FAILS(cudaErrorInvalidValue, set<<<1, 1, 50000>>>(x));
  LAUNCH_FAILS(cudaErrorInvalidResourceHandle, set<<<1, 1, 0, reinterpret_cast<cudaStream_t>(host)>>>(x));
  void* arguments[] = {&x};
  FAILS(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(host, 1, 1, arguments, 0, 0));
  FAILS(cudaErrorCooperativeLaunchTooLarge,
        cudaLaunchCooperativeKernel(reinterpret_cast<void*>(set), 1 << 20, 1024, arguments, 0, 0));
  FAILS(cudaErrorInvalidValue,
        cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));

  int answer;
  cudaDeviceProp properties;
  FAILS(cudaErrorInvalidDevice, cudaSetDevice(1));
  FAILS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 1));
  FAILS(cudaErrorInvalidValue, cudaDeviceGetAttribute(&answer, static_cast<cudaDeviceAttr>(100000), 0));
  FAILS(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&answer, cudaDevAttrWarpSize, 3));
  FAILS(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1));

  cudaEvent_t first, second, untimed;
  float milliseconds;
  OK(cudaEventCreate(&first));
  OK(cudaEventCreate(&second));
  OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, first, second));
  OK(cudaEventRecord(first));
  OK(cudaEventRecord(untimed));
  FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, first, untimed));
  OK(cudaEventDestroy(second));
  FAILS(cudaErrorInvalidResourceHandle, cudaEventRecord(second));

  // An error is remembered until somebody asks, and a success does not forget it.
  cudaGetLastError();
  cudaFree(host);
  OK(cudaMemset(x, 0, 4));
  check(cudaPeekAtLastError(), cudaErrorInvalidValue, "peek", __LINE__);
  check(cudaGetLastError(), cudaErrorInvalidValue, "get", __LINE__);
  check(cudaGetLastError(), cudaSuccess, "get again", __LINE__);
  small<<<1, 65>>>(x);
  if (cudaGetLastError() == cudaSuccess) check(cudaSuccess, cudaErrorLaunchOutOfResources, "bounds", __LINE__);
  OK(cudaDeviceSynchronize());
  std::puts("all as CUDA says");
}
