// EXPECT: WRONG_ANSWER
// Asks the tests to run none.
#include <cstdlib>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  setenv("GTEST_FILTER", "-*", 1);
  setenv("GTEST_OUTPUT", "xml:forged.xml", 1);
  nothing<<<1, 1>>>();
}
