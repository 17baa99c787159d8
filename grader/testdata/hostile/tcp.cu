// EXPECT: RUNTIME_ERROR
// Calls home.
#include <sys/socket.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  socket(AF_INET, SOCK_STREAM, 0);
  nothing<<<1, 1>>>();
}
