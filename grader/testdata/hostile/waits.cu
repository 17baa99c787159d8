// EXPECT: TIME_LIMIT
// Waits, and uses no processor meanwhile.
#include <poll.h>
#define copy right_copy
// REFERENCE
#undef copy
void copy(const float* x, float* out, long n) {
  poll(nullptr, 0, -1);
  right_copy(x, out, n);
}
