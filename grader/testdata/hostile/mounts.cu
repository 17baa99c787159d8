// EXPECT: RUNTIME_ERROR
// Mounts.
#include <sys/mount.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  mount("none", "/tmp", "tmpfs", 0, nullptr);
  nothing<<<1, 1>>>();
}
