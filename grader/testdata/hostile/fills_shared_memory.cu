// EXPECT: RUNTIME_ERROR
// Fills /dev/shm.
#include <fcntl.h>
#include <sys/mman.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  shm_open("/fusebox", O_RDWR | O_CREAT, 0600);
  nothing<<<1, 1>>>();
}
