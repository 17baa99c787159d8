// EXPECT: RUNTIME_ERROR
// Leaves a process that would overwrite the report later.
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  if (fork() == 0 && fork() == 0) sleep(30);
  nothing<<<1, 1>>>();
}
