// A program that plans a transform, asks NCCL for a communicator and three libraries more for handles, and runs a kernel of its own before
// it computes with any. Built
// against libraries that the test makes: what is declared here is all that it needs of their headers.
#include <cstdint>
#include <cstdio>
#include <cstring>

struct ncclUniqueId {
  char internal[128];
};
extern "C" {
int cufftPlan1d(int* plan, int size, int type, int batch);
int cufftSetStream(int plan, cudaStream_t stream);
int cufftGetVersion(int* version);
int cufftExecC2C(int plan, float2* in, float2* out, int direction);
int cufftDestroy(int plan);
int ncclGetUniqueId(ncclUniqueId* id);
int ncclCommInitRank(void** communicator, int ranks, ncclUniqueId id, int rank);
int ncclAllReduce(const void* from, void* to, size_t count, int type, int op, void* communicator, cudaStream_t stream);
const char* ncclGetErrorString(int result);
int cudnnCreate(void** handle);
int cudnnSetStream(void* handle, cudaStream_t stream);
int cudnnSoftmaxForward(void* handle, int algorithm, int mode, const void* alpha, void* x_shape, const void* x);
int curandCreateGenerator(void** generator, int type);
int curandSetPseudoRandomGeneratorSeed(void* generator, unsigned long long seed);
int curandGenerateUniform(void* generator, float* out, size_t count);
int cusparseCreate(void** handle);
int cusparseCreateCsr(void** matrix, int64_t rows, int64_t columns, int64_t count, void* offsets, void* places);
int cusparseSpMV(void* handle, int op, const void* alpha, void* matrix, void* x, const void* beta);
}

__global__ void fill(float2* x) { x[threadIdx.x] = {1, 0}; }

int main() {
  float2* x;
  cudaMalloc(&x, 64 * sizeof *x);
  fill<<<1, 64>>>(x);
  // What lies behind the handle, an int, stays as it is.
  struct {
    int plan, behind;
  } handle{0, 7};
  int version = 0;
  const bool planned = cufftPlan1d(&handle.plan, 64, 0x29, 1) == 0 && cufftSetStream(handle.plan, nullptr) == 0 &&
                       cufftGetVersion(&version) == 0;
  std::printf("planned %d %d %d\n", planned, handle.behind, version > 0);
  ncclUniqueId id;
  void* communicator = nullptr;
  const bool joined = ncclGetUniqueId(&id) == 0 && ncclCommInitRank(&communicator, 1, id, 0) == 0 && communicator;
  std::printf("joined %d, %s\n", joined, ncclGetErrorString(0));
  void *dnn = nullptr, *generator = nullptr, *sparse = nullptr, *matrix = nullptr;
  const bool others = cudnnCreate(&dnn) == 0 && cudnnSetStream(dnn, nullptr) == 0 &&
                      curandCreateGenerator(&generator, 100) == 0 &&
                      curandSetPseudoRandomGeneratorSeed(generator, 1) == 0 && cusparseCreate(&sparse) == 0 &&
                      cusparseCreateCsr(&matrix, 8, 8, 8, x, x) == 0;
  std::printf("others %d\n", others);
  std::fflush(stdout);
  std::printf("transformed %d\n", cufftExecC2C(handle.plan, x, x, -1));
  std::printf("reduced %d\n", ncclAllReduce(x, x, 128, 7, 0, communicator, nullptr) != 0);
  std::printf("softmax %d\n", cudnnSoftmaxForward(dnn, 0, 0, nullptr, nullptr, x));
  std::printf("drawn %d\n", curandGenerateUniform(generator, &x->x, 64));
  std::printf("multiplied %d\n", cusparseSpMV(sparse, 0, nullptr, matrix, x, nullptr));
  std::printf("freed %d\n", cufftDestroy(handle.plan));
}
