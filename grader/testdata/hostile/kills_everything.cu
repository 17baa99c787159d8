// EXPECT: RUNTIME_ERROR
// Ends whatever it may.
#include <signal.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  kill(-1, SIGKILL);
  nothing<<<1, 1>>>();
}
