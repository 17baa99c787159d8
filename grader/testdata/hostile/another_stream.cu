// EXPECT: RUNTIME_ERROR
// Empties its output again on a stream that nothing orders with the copy.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void empty(float* out, long n) {
  const long i = blockIdx.x * 256l + threadIdx.x;
  if (i < n) out[i] = 0;
}
void copy(const float* x, float* out, long n) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  right_copy(x, out, n);
  empty<<<(n + 255) / 256, 256, 0, stream>>>(out, n);
}
