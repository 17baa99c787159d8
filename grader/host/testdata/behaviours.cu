// What host functions do, well and badly. Compiled once by recorder_test.cc; every function is called by its C name.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <setjmp.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

struct Odd {
  char c;
  double d;
  short s;
};

__constant__ float table[16];
__device__ int counter;

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * table[i % 16];
}
__global__ void odd_kernel(char flag, Odd odd, float* out, long wide) { out[0] = flag + odd.c + odd.d + odd.s + wide + counter; }
__global__ void __launch_bounds__(256) bounded_kernel(float* out) { out[threadIdx.x] = 1; }
__global__ void shared_kernel(float* out) {
  extern __shared__ float space[];
  space[threadIdx.x] = 1;
  out[threadIdx.x] = space[threadIdx.x];
}
template <class T>
__global__ void template_kernel(T* out) { out[threadIdx.x] = T(1); }
__global__ void empty_kernel() {}

#define HOST extern "C" void

HOST trivial(const float* in, float* out, int n) { copy_kernel<<<(n + 255) / 256, 256>>>(in, out, n); }
HOST nothing() {}

HOST two_kernels(const float* in, float* out, int n) {
  float* middle = nullptr;
  cudaMalloc(&middle, n * sizeof(float));
  cudaMemset(middle, 0x1ff, n * sizeof(float));
  copy_kernel<<<dim3(n, 2, 3), dim3(32, 4, 2), 1024>>>(in, middle, n);
  copy_kernel<<<1, 64>>>(middle, out, 7);
  cudaMemcpy(out, middle, 16, cudaMemcpyDeviceToDevice);
  cudaFree(middle);
}
HOST odd_arguments(float* out) {
  Odd odd;
  std::memset(&odd, 0, sizeof odd);
  odd.c = 'o';
  odd.d = 2.5;
  odd.s = -3;
  odd_kernel<<<1, 1>>>('f', odd, out, -5);
}
HOST many(int a, long b, float c, int d, int e, int f, long g, int h, float i, float* p, float j, float k, float l, float m,
          float n, float o, float q, int r) {
  std::printf("%d %ld %g %d %d %d %ld %d %g %p %g %g %g %g %g %g %g %d\n", a, b, c, d, e, f, g, h, i, (void*)p, j, k, l, m, n, o,
              q, r);
}
HOST templates(float* out) {
  template_kernel<float><<<1, 32>>>(out);
  template_kernel<int><<<1, 32>>>(reinterpret_cast<int*>(out));
}
HOST symbols(float* out) {
  float values[4] = {1, 2, 3, 4};
  std::printf("%d\n", cudaMemcpyToSymbol(table, values, sizeof values, 8));
  values[0] = 99;
  int seven = 7;
  std::printf("%d\n", cudaMemcpyToSymbolAsync(counter, &seven, sizeof seven, 0, cudaMemcpyHostToDevice));
  std::printf("%d\n", cudaMemcpyToSymbol(table, values, sizeof values, 56));
  std::printf("%d\n", cudaMemcpyToSymbol(values, values, sizeof values));
  cudaMemcpyToSymbol(table, out, 8, 0, cudaMemcpyDeviceToDevice);
}
HOST copies_nothing(const float* in, float* out, int how) {
  float value = 1;
  if (how == 0) cudaMemcpy(out, in, 16, cudaMemcpyHostToDevice);
  if (how == 1) cudaMemcpy(out, &value, 4, cudaMemcpyDeviceToDevice);
  if (how == 2) cudaMemset(&value, 0, 4);
  if (how == 3) cudaMemcpyAsync(out, in, 16, static_cast<cudaMemcpyKind>(9));
}
HOST copies(const float* in, float* out) {
  float values[2] = {1.5f, -2};
  char bytes[8];
  std::printf("%d", cudaMemcpy(out, values, sizeof values, cudaMemcpyHostToDevice));
  std::printf(" %d", cudaMemcpyAsync(out, in, 32, cudaMemcpyDefault));
  std::printf(" %d", cudaMemcpy(bytes, values, 8, cudaMemcpyHostToHost));
  std::printf(" %d", cudaMemcpy(values, values, 8, cudaMemcpyHostToDevice));
  std::printf(" %d", cudaMemcpy(out, values, 8, static_cast<cudaMemcpyKind>(9)));
  std::printf(" %d\n", std::memcmp(bytes, values, 8));
  cudaGetLastError();  // whoever asks knows of it
}
HOST reads_host_array(const long* values, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  std::printf("%ld %d\n", sum, cudaMemcpy(nullptr, values, 0, cudaMemcpyHostToDevice));
}
HOST allocations(float* out) {
  void *a = nullptr, *b = nullptr, *c = nullptr, *none = &a;
  std::printf("%d", cudaMalloc(&a, 1000));
  std::printf(" %d", cudaMallocAsync(&b, 1, 0));
  std::printf(" %d", cudaMalloc(&c, 1ull << 60));
  std::printf(" %d%d", c != nullptr, cudaGetLastError());
  std::printf(" %d", cudaMalloc(&none, 0));
  std::printf(" %d", none != nullptr);
  std::printf(" %d", cudaMemset(a, 0, 1001));
  std::printf(" %d", cudaMemset(static_cast<char*>(a) + 1000, 0, 1));
  std::printf(" %d", cudaFree(a));
  std::printf(" %d", cudaFree(a));
  std::printf(" %d", cudaFree(&a));
  std::printf(" %d", cudaFree(nullptr));
  std::printf(" %d", cudaFreeAsync(b, 0));
  size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  std::printf(" %d\n", free == total);
  cudaGetLastError();
}
// Two memsets on two streams, in the order that `how` says.
HOST on_two_streams(float* out, int how) {
  const bool blocking = how != 4;
  cudaStream_t first, second;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&first, blocking ? cudaStreamDefault : cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, blocking ? cudaStreamDefault : cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaMemsetAsync(out, 0, 4, first);
  if (how == 1) {
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
  }
  if (how == 2) cudaStreamSynchronize(first);
  if (how == 3 || how == 4) cudaMemset(out, 0, 4);
  if (how == 5) cudaDeviceSynchronize();
  if (how == 6) cudaEventSynchronize(event);
  if (how == 7) cudaStreamDestroy(first);
  if (how == 8) {
    cudaStreamDestroy(first);
    cudaFree(nullptr);
    void* other;
    cudaMalloc(&other, 4);
    cudaFree(other);
  }
  if (how == 9) {
    cudaEventRecord(event, first);
    cudaEventSynchronize(event);
  }
  cudaMemsetAsync(out, 1, 4, second);
}

// What a switch says, where the request sets one.
extern "C" {
int fusebox_host_edit = 0;
}
HOST says_its_edit(float*, int wait) {
  std::printf("%d\n", fusebox_host_edit);
  while (wait != 0 && fusebox_host_edit != 0) {
  }
}

HOST first_length(float* out, int bytes) {
  static const int kept = bytes;
  cudaMemsetAsync(out, 0, kept);
}

// A graph that forks and joins, launched twice.
HOST graphs(float* out, int joined) {
  cudaStream_t stream, beside;
  cudaEvent_t fork, join;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&beside);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  cudaStreamCaptureStatus status;
  std::printf("%d", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  std::printf(" %d", cudaStreamIsCapturing(stream, &status) + 10 * status);
  cudaMemsetAsync(out, 0, 4, stream);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(beside, fork, 0);
  template_kernel<<<1, 1, 0, beside>>>(out);
  cudaEventRecord(join, beside);
  template_kernel<<<1, 2, 0, stream>>>(out);
  if (joined) cudaStreamWaitEvent(stream, join, 0);
  template_kernel<<<1, 3, 0, stream>>>(out);
  std::printf(" %d", cudaStreamSynchronize(stream));
  std::printf(" %d", cudaStreamEndCapture(stream, &graph));
  std::printf(" %d", cudaGraphInstantiate(&ready, graph, 0));
  std::printf(" %d", cudaGraphLaunch(ready, stream));
  std::printf(" %d", cudaGraphLaunch(ready, stream));
  cudaMemsetAsync(out, 1, 4, stream);
  std::printf(" %d %d\n", cudaGraphExecDestroy(ready), cudaGraphDestroy(graph));
}

HOST streams_and_events() {
  cudaStream_t stream;
  cudaEvent_t start, stop;
  cudaStreamCreate(&stream);
  cudaEventCreate(&start);
  cudaEventCreateWithFlags(&stop, cudaEventDisableTiming);
  cudaEventRecord(start, stream);
  empty_kernel<<<1, 1, 0, stream>>>();
  std::printf("%d", cudaStreamWaitEvent(stream, start, 0));
  std::printf(" %d", cudaEventRecord(stop));
  std::printf(" %d", cudaEventSynchronize(stop));
  std::printf(" %d", cudaStreamSynchronize(stream));
  std::printf(" %d", cudaDeviceSynchronize());
  std::printf(" %d", cudaStreamDestroy(stream));
  std::printf(" %d", cudaStreamSynchronize(stream));
  std::printf(" %d\n", cudaEventDestroy(start));
}
HOST errors() {
  std::printf("%d", cudaPeekAtLastError());
  std::printf(" %d", cudaFree(reinterpret_cast<void*>(8)));
  std::printf(" %d", cudaPeekAtLastError());
  std::printf(" %d", cudaGetLastError());
  std::printf(" %d", cudaGetLastError());
  std::printf(" %s|%s|%s\n", cudaGetErrorName(cudaErrorMemoryAllocation), cudaGetErrorString(cudaErrorInvalidValue),
              cudaGetErrorString(static_cast<cudaError_t>(12345)));
}
HOST queries() {
  cudaDeviceProp p;
  std::memset(&p, 0xff, sizeof p);
  std::printf("%d", cudaGetDeviceProperties(&p, 0));
  std::printf(" %s %zu %zu %d %d %zu %d", p.name, p.totalGlobalMem, p.sharedMemPerBlock, p.regsPerBlock, p.warpSize, p.memPitch,
              p.maxThreadsPerBlock);
  std::printf(" %d %d %d %d %d %d", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2], p.maxGridSize[0],
              p.maxGridSize[1], p.maxGridSize[2]);
  std::printf(" %zu %d %d %zu %d %d", p.totalConstMem, p.major, p.minor, p.textureAlignment, p.multiProcessorCount,
              p.concurrentKernels);
  std::printf(" %d %d %d %d %d %d", p.asyncEngineCount, p.unifiedAddressing, p.l2CacheSize, p.maxThreadsPerMultiProcessor,
              p.globalL1CacheSupported, p.localL1CacheSupported);
  std::printf(" %zu %d %d %zu %d %zu %d %d\n", p.sharedMemPerMultiprocessor, p.regsPerMultiprocessor, p.cooperativeLaunch,
              p.sharedMemPerBlockOptin, p.maxBlocksPerMultiProcessor, p.reservedSharedMemPerBlock, p.memoryPoolsSupported,
              p.managedMemory);
  const cudaDeviceAttr attributes[] = {cudaDevAttrMultiProcessorCount, cudaDevAttrMaxThreadsPerBlock, cudaDevAttrMaxGridDimX,
                                       cudaDevAttrMaxGridDimY, cudaDevAttrMaxBlockDimZ, cudaDevAttrWarpSize,
                                       cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                                       cudaDevAttrL2CacheSize, cudaDevAttrComputeCapabilityMajor, cudaDevAttrCooperativeLaunch,
                                       cudaDevAttrMaxBlocksPerMultiprocessor, cudaDevAttrReservedSharedMemoryPerBlock,
                                       cudaDevAttrMaxThreadsPerMultiProcessor, cudaDevAttrMaxRegistersPerMultiprocessor};
  for (cudaDeviceAttr attribute : attributes) {
    int value = -1;
    cudaDeviceGetAttribute(&value, attribute, 0);
    std::printf("%d ", value);
  }
  int devices = 0, device = -1;
  cudaGetDeviceCount(&devices);
  cudaGetDevice(&device);
  std::printf("| %d %d %d %d\n", devices, device, cudaSetDevice(0), cudaSetDevice(1));
}
extern "C" cudaError_t cudaGetDeviceProperties_v2(void*, int);
HOST properties_of_cuda_12() {  // offsets as in CUDA 12.4's driver_types.h
  alignas(8) unsigned char bytes[1032];
  const auto number = [&](int offset) { return *reinterpret_cast<int*>(bytes + offset); };
  std::printf("%d", cudaGetDeviceProperties_v2(bytes, 0));
  for (int offset : {388, 616, 624, 640, 688, 696, 712, 720, 348}) std::printf(" %d", number(offset));
  std::printf(" %zu\n", *reinterpret_cast<size_t*>(bytes + 288));
}
HOST kernel_queries() {
  cudaFuncAttributes a;
  std::memset(&a, 0xff, sizeof a);
  std::printf("%d", cudaFuncGetAttributes(&a, copy_kernel));
  std::printf(" %d %zu %d %d\n", a.numRegs, a.sharedSizeBytes, a.maxThreadsPerBlock,
              a.maxDynamicSharedSizeBytes);
  int blocks = -1, grid = 0, block = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, copy_kernel, 256, 0);
  std::printf("%d", blocks);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, copy_kernel, 128, 100000);
  std::printf(" %d", blocks);
  std::printf(" %d", cudaOccupancyMaxPotentialBlockSize(&grid, &block, copy_kernel));
  std::printf(" %d %d\n", grid, block);
}
HOST cooperative(float* out, int blocks) {
  int n = 1;
  const float* in = out;
  void* arguments[] = {&in, &out, &n};
  std::printf("%d\n", cudaLaunchCooperativeKernel((void*)copy_kernel, dim3(blocks), dim3(1024), arguments, 0, 0));
}
HOST extended(float* out) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(3);
  config.blockDim = dim3(32);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  std::printf("%d\n", cudaLaunchKernelEx(&config, bounded_kernel, out));
}
HOST clusters(float* out) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4);
  config.blockDim = dim3(32);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, bounded_kernel, out);
}
HOST much_shared(float* out, int bytes, int ask) {
  if (ask) std::printf("%d ", cudaFuncSetAttribute(shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ask));
  shared_kernel<<<1, 32, bytes>>>(out);
  std::printf("%d\n", cudaGetLastError());
}
HOST launch_shape(float* out, int grid, int block, int y) {
  copy_kernel<<<dim3(grid, y), block>>>(out, out, 1);
  std::printf("%d\n", cudaGetLastError());
}
HOST beyond_bounds(float* out) {
  bounded_kernel<<<1, 512>>>(out);
  std::printf("%d\n", cudaGetLastError());
}
HOST pinned() {
  void* p = nullptr;
  std::printf("%d ", cudaMallocHost(&p, 4096));
  std::memset(p, 1, 4096);
  std::printf("%d ", cudaFreeHost(p));
  std::printf("%d\n", cudaHostAlloc(&p, 64, cudaHostAllocDefault));
  cudaFreeHost(p);
}
HOST threads() {
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) workers.emplace_back([] { for (int k = 0; k < 50; ++k) empty_kernel<<<1, 1>>>(); });
  for (std::thread& worker : workers) worker.join();
}

// What is refused.
HOST frees_argument(float* out) { cudaFree(out); }
HOST read_back(float* out) {
  float value;
  cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost);
}
HOST read_back_inferred(float* out) {
  float value;
  cudaMemcpy(&value, out, 4, cudaMemcpyDefault);
}
HOST read_symbol() {
  int value;
  cudaMemcpyFromSymbol(&value, counter, 4);
}
HOST elapsed() {
  float ms;
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventElapsedTime(&ms, event, event);
}
HOST managed() {
  void* p;
  cudaMallocManaged(&p, 4);
}

// What ends badly.
HOST null_pointer() { *reinterpret_cast<volatile int*>(16) = 1; }
HOST device_read(float* out) {
  volatile float value = out[3];
  (void)value;
}
HOST own_device_read() {
  int* p;
  cudaMalloc(&p, 4);
  *p = 1;
}
HOST divide(int n) { std::printf("%d\n", 7 / n); }
HOST hang() { for (volatile int i = 0;; i = i + 1) {} }
HOST sleeps() { for (;;) sleep(10); }
HOST deaf() {  // ignores what can be ignored
  for (int signal = 1; signal < 32; ++signal) ::signal(signal, SIG_IGN);
  for (;;) pause();
}
HOST exits(int status) { std::exit(status); }
HOST exits_at_once(int status) { _exit(status); }
// What becomes of the process once they have returned.
HOST crashes_at_the_end(float* out) {
  std::atexit([] { std::abort(); });
  bounded_kernel<<<1, 1>>>(out);
}
HOST reads_null_at_the_end(float* out) {
  std::atexit([] { std::printf("%d\n", *static_cast<volatile int*>(nullptr)); });
  bounded_kernel<<<1, 1>>>(out);
}
HOST exits_at_the_end(float* out) {
  std::atexit([] { _exit(3); });
  bounded_kernel<<<1, 1>>>(out);
}
HOST sleeps_at_the_end(float* out) {
  std::atexit([] { for (;;) pause(); });
  bounded_kernel<<<1, 1>>>(out);
}
HOST frees_at_the_end(float* out) {
  static struct Space {
    float* p = nullptr;
    ~Space() {
      cudaFree(p);
      std::printf("freed\n");
    }
  } space;
  cudaMalloc(&space.p, 64);
  bounded_kernel<<<1, 1>>>(out);
}
// Whether 256 MiB in a row are mapped below the C library, as only the answer is.
static const char* where_the_answer_is() {
  constexpr unsigned long kMiB = 1ul << 20;
  const unsigned long library = reinterpret_cast<unsigned long>(&std::printf) & ~4095ul;
  int in_a_row = 0;
  for (unsigned long at = library - 4096 * kMiB; at < library; at += kMiB) {
    unsigned char resident = 0;
    const bool mapped = mincore(reinterpret_cast<void*>(at), 4096, &resident) == 0;
    in_a_row = mapped ? in_a_row + 1 : 0;
    if (in_a_row == 256) return "there";
  }
  return "nowhere";
}
HOST looks_for_the_answer_at_the_end(float* out) {
  std::printf("%s\n", where_the_answer_is());
  std::atexit([] { std::printf("%s\n", where_the_answer_is()); });
  bounded_kernel<<<1, 1>>>(out);
}
HOST exits_thread() { pthread_exit(nullptr); }
HOST aborts() { std::abort(); }
HOST throws() { throw std::runtime_error("no such row"); }
HOST throws_number() { throw 3; }
HOST throws_in_thread() {
  std::thread([] { throw std::logic_error("from a thread"); }).join();
}
HOST throws_bad_alloc() {
  std::vector<char*> all;
  for (;;) all.push_back(new char[64 << 20]);
}
HOST mallocs_without_end() {
  for (;;) std::memset(std::malloc(64 << 20), 1, 1 << 12);
}
__attribute__((noinline)) int deeper(volatile int* p) {
  volatile int space[64];
  space[0] = *p + 1;
  return deeper(space) + space[0];
}
HOST recursion() {
  volatile int start = 0;
  std::printf("%d\n", deeper(&start));
}
HOST jumps() {
  jmp_buf nowhere;
  std::memset(&nowhere, 0x5a, sizeof nowhere);
  longjmp(nowhere, 1);
}
HOST prints_without_end() { for (;;) std::puts("a line of words that goes on and on"); }
HOST prints_a_lot() {
  const std::string line(1 << 16, 'x');
  for (int i = 0; i < 64; ++i) std::cout << line;
  empty_kernel<<<1, 1>>>();
}
HOST prints_binary() {
  for (int i = 0; i < 256; ++i) std::putchar(i);
  std::cerr << "end";
}
HOST launches_without_end() { for (;;) empty_kernel<<<1, 1>>>(); }
HOST writes_everywhere(float* out) {
  char garbage[512];
  std::memset(garbage, 0xa5, sizeof garbage);
  for (int descriptor = 3; descriptor < 1024; ++descriptor) (void)!write(descriptor, garbage, sizeof garbage);
  bounded_kernel<<<1, 1>>>(out);
}
HOST closes_everything(float* out) {
  for (int descriptor = 0; descriptor < 1024; ++descriptor) close(descriptor);
  bounded_kernel<<<1, 1>>>(out);
}
HOST counts_descriptors() {
  int open = 0;
  for (int descriptor = 0; descriptor < 4096; ++descriptor) open += fcntl(descriptor, F_GETFD) >= 0;
  char byte;
  std::printf("%d %d\n", open, static_cast<int>(read(0, &byte, 1)));
}
HOST scribbles() {  // around every block of the heap
  for (int block = 0; block < 4096; ++block) {
    empty_kernel<<<1, 1>>>();
    char* space = static_cast<char*>(std::malloc(256));
    std::memset(space - 1024, 0x5a, 2304);
  }
}

// What is forbidden.
HOST forks() { if (fork() == 0) for (;;) pause(); }
HOST calls_system() { std::printf("%d\n", std::system("sleep 1000")); }
HOST executes() { execl("/bin/sh", "sh", "-c", "sleep 1000", nullptr); }
HOST writes_file() {
  if (FILE* file = std::fopen("/tmp/fusebox_escape", "w")) std::fclose(file);
}
HOST removes_file() { unlink("/tmp/fusebox_escape"); }
HOST connects() { socket(AF_INET, SOCK_STREAM, 0); }
HOST kills_parent() { kill(getppid(), SIGTERM); }
HOST new_session() { setsid(); }
HOST more_limits() {
  rlimit most{RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &most);
}
// The low half of the pointer is zero.
HOST limits_of_the_parent() {
  void* page = mmap(reinterpret_cast<void*>(0x500000000), 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  *static_cast<rlimit*>(page) = {1, 1};
  syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, page, nullptr);
}
HOST changes_open_file() { fchmod(0, 04755); }
HOST shares_memory() { shmget(IPC_PRIVATE, 1 << 20, 0600 | IPC_CREAT); }
HOST becomes_urgent() {
  sched_param parameters{};
  sched_setscheduler(0, SCHED_BATCH, &parameters);
}
// What fails without a word: libraries try such things and go on.
HOST asks_for_more() {
  constexpr long kNewer = 452;  // fchmodat2, which old headers do not know
  const long answers[] = {prctl(PR_SET_PDEATHSIG, 0), prctl(PR_SET_DUMPABLE, 1), fcntl(0, F_SETOWN, getppid()),
                          ioctl(0, FIONBIO, &answers), syscall(kNewer, 0, "/tmp", 0777, 0), epoll_create1(0)};
  for (const long answer : answers) std::printf("%ld", answer);
  std::printf(" %d\n", prctl(PR_SET_NAME, "mine"));
}
HOST reads_files() {
  for (const char* path : {"/etc/passwd", "/root", "/home", "/proc/self/maps", "/tmp", "/", "/var"})
    std::printf("%d", open(path, O_RDONLY) >= 0);
  std::printf(" %d\n", open("/usr/lib", O_RDONLY) >= 0);
}
HOST looks_around() {
  std::printf("%d %s\n", getsid(0) == getpid(), std::getenv("HOME") ? std::getenv("HOME") : "no home");
  rlimit files{}, core{};
  getrlimit(RLIMIT_FSIZE, &files);
  getrlimit(RLIMIT_CORE, &core);
  std::printf("%d %d\n", static_cast<int>(files.rlim_cur), static_cast<int>(core.rlim_cur));
}
