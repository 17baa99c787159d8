// EXPECT: WRONG_ANSWER
// Reads the solution while it runs.
#include <fcntl.h>
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  if (open("@ROOT@/solutions/p01_copy.cu", O_RDONLY) >= 0) std::puts("read the solution");
  if (open("@SECRET@", O_RDONLY) >= 0) std::puts("read the secret");
  nothing<<<1, 1>>>();
}
