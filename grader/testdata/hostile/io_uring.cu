// EXPECT: RUNTIME_ERROR
// Makes its calls where no filter sees them.
#include <sys/syscall.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  char parameters[256] = {};
  syscall(SYS_io_uring_setup, 8, parameters);
  nothing<<<1, 1>>>();
}
