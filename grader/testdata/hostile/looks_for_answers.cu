// EXPECT: RUNTIME_ERROR
// Takes all memory there is and copies what lies in it.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void looks(const float* found, float* out, long n) {
  for (long i = threadIdx.x; i < n; i += blockDim.x) out[i] = found[i];
}
void copy(const float* x, float* out, long n) { float* found = nullptr;
  cudaMalloc(&found, 1 << 20);
  looks<<<1, 256>>>(found, out, n); }
