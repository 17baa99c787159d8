// EXPECT: RUNTIME_ERROR
// Speaks with what else listens here.
#include <sys/socket.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  socket(AF_UNIX, SOCK_STREAM, 0);
  nothing<<<1, 1>>>();
}
