// EXPECT: RUNTIME_ERROR
// Becomes root in a namespace of its own.
#include <sched.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  unshare(CLONE_NEWUSER | CLONE_NEWNS);
  nothing<<<1, 1>>>();
}
