// EXPECT: WRONG_ANSWER
// Looks into the grader.
#include <fcntl.h>
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  for (const char* path : {"/proc/self/environ", "/proc/self/fd", "/proc/1/environ"})
    if (open(path, O_RDONLY) >= 0) std::puts("read the grader");
  nothing<<<1, 1>>>();
}
