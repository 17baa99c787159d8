// EXPECT: RUNTIME_ERROR
// System V memory outlives its process.
#include <sys/shm.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  shmget(IPC_PRIVATE, 1ul << 30, 0600 | IPC_CREAT);
  nothing<<<1, 1>>>();
}
