// One small use of each part of the runtime; a wrong answer prints its line and ends with exit code 7.
//# stdout all answered
//# launch twice grid=1 block=32
//# launch sum grid=4 block=128 global.atomic.requests=4
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define OK(call) check((call), cudaSuccess, #call, __LINE__)
#define FAILS(error, call) check((call), (error), #call, __LINE__)
#define TRUE(condition) ((condition) ? void() : wrong(#condition, __LINE__))

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

__constant__ int factors[4];
__device__ int total;
__managed__ int shared_with_host = 5;

__global__ void twice(int* x) { x[threadIdx.x] = 2 * x[threadIdx.x] + factors[1] + shared_with_host; }

__global__ void sum(const int* x, int n) {
  __shared__ int part[128];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  part[threadIdx.x] = mine;
  cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  for (int half = 64; half > 0; half /= 2) {
    block.sync();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(&total, part[0]);
}

__global__ void large_shared() {
  extern __shared__ int bytes[];
  bytes[threadIdx.x] = 1;
}

void memory() {
  int* managed;
  OK(cudaMallocManaged(&managed, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) managed[i] = i;
  int values[4] = {0, 100, 0, 0};
  OK(cudaMemcpyToSymbol(factors, values, sizeof values));
  shared_with_host = 1000;
  twice<<<1, 32>>>(managed);
  OK(cudaDeviceSynchronize());
  TRUE(managed[31] == 62 + 100 + 1000);

  std::vector<int> host(1000, 3);
  OK(cudaHostRegister(host.data(), 4000, cudaHostRegisterMapped));
  int* alias;
  OK(cudaHostGetDevicePointer(&alias, host.data(), 0));
  sum<<<4, 128>>>(alias, 1000);
  int result = 0;
  OK(cudaMemcpyFromSymbol(&result, total, sizeof result));
  TRUE(result == 3000);
  OK(cudaHostUnregister(host.data()));

  char* rows;
  std::size_t pitch;
  OK(cudaMallocPitch(&rows, &pitch, 10, 3));
  TRUE(pitch >= 10 && pitch % 256 == 0);
  char in[3][12], out[3][11];
  for (int i = 0; i < 3; ++i) std::memset(in[i], 'a' + i, 12);
  OK(cudaMemcpy2D(rows, pitch, in, 12, 10, 3, cudaMemcpyHostToDevice));
  OK(cudaMemset2D(rows + pitch, pitch, 'x', 2, 1));
  OK(cudaMemcpy2D(out, 11, rows, pitch, 10, 3, cudaMemcpyDefault));
  TRUE(out[1][0] == 'x' && out[1][2] == 'b' && out[2][9] == 'c');
  FAILS(cudaErrorInvalidPitchValue, cudaMemcpy2D(rows, pitch, in, 5, 10, 3, cudaMemcpyHostToDevice));

  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, managed));
  TRUE(attributes.type == cudaMemoryTypeManaged);
  OK(cudaPointerGetAttributes(&attributes, host.data()));
  TRUE(attributes.type == cudaMemoryTypeUnregistered);

  void* block;
  FAILS(cudaErrorMemoryAllocation, cudaMalloc(&block, std::size_t{1} << 50));
  TRUE(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
  for (int i = 0; i < 3000; ++i) {
    OK(cudaMallocAsync(&block, 100000, 0));
    OK(cudaFreeAsync(block, 0));
  }
  FAILS(cudaErrorInvalidValue, cudaFree(block));
  FAILS(cudaErrorInvalidValue, cudaMemset(managed, 0, 1000));
}

void streams() {
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  cudaEvent_t start, stop;
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&stop));
  OK(cudaEventRecord(start, stream));
  OK(cudaEventRecord(stop, stream));
  OK(cudaStreamWaitEvent(stream, stop, 0));
  float milliseconds = -1;
  OK(cudaEventElapsedTime(&milliseconds, start, stop));
  TRUE(milliseconds == 0);
  int called = 0;
  OK(cudaLaunchHostFunc(stream, [](void* data) { *static_cast<int*>(data) = 1; }, &called));
  OK(cudaStreamSynchronize(stream));
  TRUE(called == 1);
  cudaStreamAttrValue attribute = {};
  attribute.priority = 3;
  OK(cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &attribute));
  attribute.priority = 0;
  OK(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &attribute));
  TRUE(attribute.priority == 3);
  FAILS(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &attribute));
  OK(cudaStreamDestroy(stream));
  FAILS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
}

void questions() {
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  TRUE(std::strstr(properties.name, "H200") && properties.multiProcessorCount == 132 && properties.managedMemory);
  int major = 0, blocks = 0;
  OK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  TRUE(major == 9 && properties.major == 9);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum, 1024, 0));
  TRUE(blocks == 2);
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, sum));
  TRUE(attributes.sharedSizeBytes == 512);
  // Libraries look for the architecture that they were compiled for.
  TRUE(attributes.ptxVersion == 80);
  FAILS(cudaErrorInvalidDevice, cudaSetDevice(1));
  FAILS(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
  void* entry = &entry;
  cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 13000
  OK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 12000, cudaEnableDefault, &found));
#else
  OK(cudaGetDriverEntryPoint("cuMemAlloc", &entry, cudaEnableDefault, &found));
#endif
  TRUE(entry == nullptr && found == cudaDriverEntryPointSymbolNotFound);
  cudaGetLastError();
}

// What a launch cannot have is said at once, and is forgotten once it was asked for.
void refusals() {
  twice<<<1, 2000>>>(nullptr);
  TRUE(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  TRUE(cudaGetLastError() == cudaErrorInvalidConfiguration);
  TRUE(cudaGetLastError() == cudaSuccess);
  OK(cudaDeviceSynchronize());
  large_shared<<<1, 32, 100 << 10>>>();
  TRUE(cudaGetLastError() == cudaErrorInvalidValue);
  OK(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  large_shared<<<1, 32, 100 << 10>>>();
  OK(cudaDeviceSynchronize());
}

}  // namespace

int main() {
  memory();
  streams();
  questions();
  refusals();
  std::puts("all answered");
}
