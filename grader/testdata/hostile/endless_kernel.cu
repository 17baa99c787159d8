// EXPECT: TIME_LIMIT
// A kernel that never ends.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void forever(float* out) {
  for (volatile int i = 0;; i = i + 1) out[0] = i;
}
void copy(const float* x, float* out, long n) { forever<<<1, 1>>>(out); }
