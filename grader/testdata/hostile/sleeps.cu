// EXPECT: TIME_LIMIT
// Waits until nobody looks.
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  for (;;) sleep(1000);
  nothing<<<1, 1>>>();
}
