// EXPECT: RUNTIME_ERROR
// Wants to answer page faults itself, the kernel's among them.
#include <sys/syscall.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  syscall(SYS_userfaultfd, 0);
  nothing<<<1, 1>>>();
}
