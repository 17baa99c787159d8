// EXPECT: RUNTIME_ERROR
// Cuts off what the grader reads.
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  for (int descriptor = 0; descriptor < 16; ++descriptor) (void)!ftruncate(descriptor, 0);
  nothing<<<1, 1>>>();
}
