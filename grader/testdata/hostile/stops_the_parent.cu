// EXPECT: RUNTIME_ERROR
// Holds the grader.
#include <signal.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  kill(getppid(), SIGSTOP);
  nothing<<<1, 1>>>();
}
