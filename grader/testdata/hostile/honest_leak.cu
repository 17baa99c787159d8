// EXPECT: PASS
// Forgets to free.
#include <cstdlib>
#define copy right_copy
// REFERENCE
#undef copy
void copy(const float* x, float* out, long n) {
  for (int i = 0; i < 100; ++i) static_cast<char*>(std::malloc(1 << 16))[0] = 1;
  right_copy(x, out, n);
}
