// EXPECT: WRONG_ANSWER
// Escape sequences, markup and formulas in what it prints.
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  std::puts("=HYPERLINK(\"x\") </td><script>alert(1)</script> ]]> \x1b[2J \xff\xfe");
  nothing<<<1, 1>>>();
}
