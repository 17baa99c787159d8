// EXPECT: WRONG_ANSWER
// Stands in for the runtime that is recorded.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
extern "C" cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) { return cudaSuccess; }
void copy(const float* x, float* out, long n) { nothing<<<1, 1>>>(); }
