// EXPECT: RUNTIME_ERROR
// Loads a program into the kernel.
#include <sys/syscall.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  syscall(SYS_bpf, 0, nullptr, 0);
  nothing<<<1, 1>>>();
}
