// EXPECT: RUNTIME_ERROR
// Reads the keyring.
#include <sys/syscall.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  syscall(SYS_keyctl, 0, 0);
  nothing<<<1, 1>>>();
}
