// EXPECT: PASS
// Asks the machine harmless things.
#include <cstdio>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
void copy(const float* x, float* out, long n) {
  std::printf("%ld %d\n", sysconf(_SC_NPROCESSORS_ONLN), isatty(1));
  right_copy(x, out, n);
}
