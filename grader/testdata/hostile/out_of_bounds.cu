// EXPECT: RUNTIME_ERROR
// Stores where nothing is.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void beyond(float* out, long n) { out[n + 1000000] = 1; }
void copy(const float* x, float* out, long n) { beyond<<<1, 1>>>(out, n); }
