// EXPECT: PASS
// Prints a great deal.
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
void copy(const float* x, float* out, long n) {
  for (int i = 0; i < 2000; ++i) std::printf("line %d of many\n", i);
  right_copy(x, out, n);
}
