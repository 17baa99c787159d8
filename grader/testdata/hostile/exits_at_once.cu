// EXPECT: RUNTIME_ERROR
// Ends without a word.
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  _exit(0);
  nothing<<<1, 1>>>();
}
