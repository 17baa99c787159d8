// Parts of the runtime that programs seldom use, as an H200 answers; a wrong answer prints its line and ends with exit
// code 7.
//# flags -std=c++17 -lineinfo -gencode arch=compute_90,code=compute_90
//# stdout all answered
//# launch fill grid=1 block=32
//# launch wait_and_fill grid=1 block=32
//# launch fill grid=1 block=32
#include <cstdio>
#include <cstdlib>
#include <vector>

#define OK(call) check((call), cudaSuccess, #call, __LINE__)
#define FAILS(error, call) check((call), (error), #call, __LINE__)
#define TRUE(condition) ((condition) ? void() : wrong(#condition, __LINE__))

__managed__ int shared_with_host = 5;

__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x + shared_with_host; }

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

__global__ void wait_and_fill(int* x) {
  cudaGridDependencySynchronize();
  x[threadIdx.x] += 1;
}

int range(const void* pointer, std::size_t bytes, cudaMemRangeAttribute attribute) {
  int value = -9;
  OK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, pointer, bytes));
  return value;
}

void managed_memory() {
  cudaPointerAttributes about;
  OK(cudaPointerGetAttributes(&about, &shared_with_host));
  TRUE(about.type == cudaMemoryTypeManaged);
  int on_stack;
  OK(cudaPointerGetAttributes(&about, &on_stack));
  TRUE(about.type == cudaMemoryTypeUnregistered && about.device == -2);

  int* memory;
  constexpr std::size_t kBytes = 4096;
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  OK(cudaMallocManaged(&memory, kBytes));
#if CUDART_VERSION >= 13000
  TRUE(range(memory, kBytes, cudaMemRangeAttributeLastPrefetchLocation) == -2);
  OK(cudaMemPrefetchAsync(memory, kBytes, device, 0));
  TRUE(range(memory, kBytes, cudaMemRangeAttributeLastPrefetchLocation) == 0);
  TRUE(range(memory, kBytes, cudaMemRangeAttributeLastPrefetchLocationType) == cudaMemLocationTypeDevice);
  TRUE(range(memory, kBytes, cudaMemRangeAttributePreferredLocation) == -2);
  OK(cudaMemAdvise(memory, kBytes, cudaMemAdviseSetPreferredLocation, host));
  TRUE(range(memory, kBytes, cudaMemRangeAttributePreferredLocation) == cudaCpuDeviceId);
  OK(cudaMemAdvise(memory, kBytes, cudaMemAdviseSetReadMostly, device));
  OK(cudaMemAdvise(memory, kBytes, cudaMemAdviseSetAccessedBy, device));
  int read_mostly = 0, accessed[2] = {};
  void* values[] = {&read_mostly, accessed};
  std::size_t sizes[] = {sizeof read_mostly, sizeof accessed};
  cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeAccessedBy};
  OK(cudaMemRangeGetAttributes(values, sizes, which, 2, memory, kBytes));
  TRUE(read_mostly == 1 && accessed[0] == 0 && accessed[1] == -2);
  int* other;
  OK(cudaMalloc(&other, kBytes));
  FAILS(cudaErrorInvalidValue, cudaMemAdvise(other, kBytes, cudaMemAdviseSetReadMostly, device));
#endif
  cudaMemPool_t pool;
  cudaMemAccessFlags access;
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  OK(cudaMemPoolGetAccess(&access, pool, const_cast<cudaMemLocation*>(&device)));
  TRUE(access == cudaMemAccessFlagsProtReadWrite);
}

void volumes_between_devices() {
  cudaPitchedPtr from;
  const cudaExtent extent = make_cudaExtent(12, 3, 2);
  std::vector<char> host(12 * 3 * 2), back(12 * 3 * 2);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<char>(i);
  OK(cudaMalloc3D(&from, extent));
  cudaMemcpy3DParms up{};
  up.srcPtr = make_cudaPitchedPtr(host.data(), 12, 12, 3);
  up.dstPtr = from;
  up.extent = extent;
  up.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&up));
  char* to;
  OK(cudaMalloc(&to, host.size()));
  cudaMemcpy3DPeerParms across{};
  across.srcPtr = from;
  across.dstPtr = make_cudaPitchedPtr(to, 12, 12, 3);
  across.extent = extent;
  OK(cudaMemcpy3DPeer(&across));
  OK(cudaMemcpy3DPeerAsync(&across, nullptr));
  OK(cudaMemcpy(back.data(), to, back.size(), cudaMemcpyDeviceToHost));
  TRUE(back == host);
  across.dstDevice = 1;
  FAILS(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&across));
}

void user_objects() {
  static int ended = 0;
  cudaGraph_t graph, copy;
  cudaGraphExec_t ready;
  cudaUserObject_t object;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaUserObjectCreate(&object, &ended, [](void* counter) { ++*static_cast<int*>(counter); }, 2,
                          cudaUserObjectNoDestructorSync));
  OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  OK(cudaGraphClone(&copy, graph));
  OK(cudaGraphInstantiate(&ready, copy, 0));
  OK(cudaUserObjectRetain(object, 1));
  OK(cudaUserObjectRelease(object, 2));
  OK(cudaGraphReleaseUserObject(graph, object, 1));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(copy));
  TRUE(ended == 0);
  OK(cudaGraphExecDestroy(ready));
  TRUE(ended == 1);
}

void the_device() {
  cudaDeviceProp about;
  OK(cudaGetDeviceProperties(&about, 0));
  TRUE(about.maxTexture1D == 131072 && about.maxTexture2D[1] == 65536 && about.maxTexture3D[2] == 16384);
  TRUE(about.maxTexture2DLinear[2] == 2097120 && about.maxTexture3DAlt[2] == 32768);
  TRUE(about.maxTexture2DLayered[2] == 2048 && about.maxSurfaceCubemapLayered[1] == 2046);
  TRUE(about.texturePitchAlignment == 32 && about.surfaceAlignment == 512 && about.clusterLaunch == 1);
  TRUE(about.persistingL2CacheMaxSize == 39321600 && about.accessPolicyMaxWindowSize == 134217728);
  const struct {
    cudaDeviceAttr attribute;
    int value;
  } known[] = {{cudaDevAttrMaxTexture2DHeight, 65536},   {cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
               {cudaDevAttrMaxSurface2DLayeredLayers, 2048}, {cudaDevAttrMaxTexture1DLinearWidth, 268435456},
               {cudaDevAttrAsyncEngineCount, 3},         {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
               {cudaDevAttrStreamPrioritiesSupported, 1}};
  for (const auto& [attribute, expected] : known) {
    int value = -1;
    OK(cudaDeviceGetAttribute(&value, attribute, 0));
    if (value != expected) std::printf("attribute %d: %d\n", static_cast<int>(attribute), value);
    TRUE(value == expected);
  }
  char place[32];
  int device = -1;
  OK(cudaDeviceGetPCIBusId(place, sizeof place, 0));
  OK(cudaDeviceGetByPCIBusId(&device, place));
  TRUE(device == 0);
  FAILS(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&device, "0000:7f:00.0"));
  int can;
  FAILS(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 1));
  cudaFuncAttributes kernel;
  OK(cudaFuncSetAttribute(fill, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  OK(cudaFuncGetAttributes(&kernel, fill));
  TRUE(kernel.preferredShmemCarveout == 50);
}

void dependent_launch() {
  int *memory, host[32];
  cudaEvent_t event;
  cudaLaunchAttribute attributes[2];
  cudaLaunchConfig_t config{};
  OK(cudaMalloc(&memory, sizeof host));
  OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeProgrammaticEvent;
  attributes[1].val.programmaticEvent.event = event;
  attributes[1].val.programmaticEvent.flags = 0;
  attributes[1].val.programmaticEvent.triggerAtBlockStart = 0;
  config.gridDim = 1;
  config.blockDim = 32;
  config.attrs = attributes;
  config.numAttrs = 2;
  fill<<<1, 32>>>(memory);
  OK(cudaLaunchKernelEx(&config, wait_and_fill, memory));
  OK(cudaEventSynchronize(event));
  OK(cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost));
  TRUE(host[31] == 37);
}

void registered_memory() {
  std::vector<int> host(100);
  OK(cudaHostRegister(host.data(), host.size() * sizeof(int), cudaHostRegisterDefault));
  fill<<<1, 32>>>(host.data() + 50);
  OK(cudaDeviceSynchronize());
  TRUE(host[81] == 36 && host[49] == 0);
  OK(cudaHostUnregister(host.data()));
}

}  // namespace

int main() {
  managed_memory();
  volumes_between_devices();
  user_objects();
  the_device();
  dependent_launch();
  registered_memory();
  std::puts("all answered");
}
