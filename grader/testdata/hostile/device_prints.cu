// EXPECT: OUTPUT_LIMIT
// A kernel that prints without end.
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void talks() {
  for (;;) printf("on and on\n");
}
void copy(const float* x, float* out, long n) { talks<<<1, 32>>>(); }
