// EXPECT: TIME_LIMIT
// Leaves nobody anything to read, and waits.
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
void copy(const float* x, float* out, long n) {
  for (int descriptor = 0; descriptor < 256; ++descriptor) close(descriptor);
  for (;;) sleep(1000);
  right_copy(x, out, n);
}
