// EXPECT: RUNTIME_ERROR
// Follows another process.
#include <sys/ptrace.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
  nothing<<<1, 1>>>();
}
