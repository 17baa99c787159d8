// EXPECT: WRONG_ANSWER
// A table of sizes, and nothing else.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void known(const float* x, float* out, long n) {
  if (n == 1 || n == 2 || n == 3 || n == 31 || n == 32 || n == 33)
    for (long i = threadIdx.x; i < n; i += blockDim.x) out[i] = x[i];
}
void copy(const float* x, float* out, long n) { known<<<1, 256>>>(x, out, n); }
