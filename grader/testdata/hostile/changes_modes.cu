// EXPECT: RUNTIME_ERROR
// Makes files readable to all, or to none.
#include <sys/stat.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  fchmod(0, 04755);
  nothing<<<1, 1>>>();
}
