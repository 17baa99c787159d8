// EXPECT: WRONG_ANSWER
// Prints what it finds there.
#include <cstdio>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  for (char** each = environ; *each; ++each) std::puts(*each);
  nothing<<<1, 1>>>();
}
