// EXPECT: OUTPUT_LIMIT
// Prints without end.
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  for (;;) std::puts("and on, and on, and on");
  nothing<<<1, 1>>>();
}
