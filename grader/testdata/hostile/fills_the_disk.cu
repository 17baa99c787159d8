// EXPECT: RUNTIME_ERROR
// Writes without end.
#include <fcntl.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  const int file = open("full", O_WRONLY | O_CREAT, 0600);
  for (static char page[1 << 16]; write(file, page, sizeof page) > 0;) {
  }
  nothing<<<1, 1>>>();
}
