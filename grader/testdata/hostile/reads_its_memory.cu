// EXPECT: RUNTIME_ERROR
// Reads the memory of the grader.
#include <sys/uio.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  char byte = 0;
  iovec here{&byte, 1}, there{out, 1};
  process_vm_readv(getppid(), &here, 1, &there, 1, 0);
  nothing<<<1, 1>>>();
}
