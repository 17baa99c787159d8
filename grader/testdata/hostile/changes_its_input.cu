// EXPECT: WRONG_ANSWER
// Makes the input fit the output.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void zero(float* x, float* out, long n) {
  for (long i = threadIdx.x; i < n; i += blockDim.x) x[i] = out[i] = 0;
}
void copy(const float* x, float* out, long n) { zero<<<1, 256>>>(const_cast<float*>(x), out, n); }
