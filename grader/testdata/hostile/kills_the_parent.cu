// EXPECT: RUNTIME_ERROR
// Ends the grader.
#include <signal.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  kill(getppid(), SIGKILL);
  nothing<<<1, 1>>>();
}
