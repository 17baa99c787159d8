// EXPECT: RUNTIME_ERROR
// Says that it passed, and ends well.
#include <cstdio>
#include <cstdlib>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  std::puts("[  PASSED  ] 14 tests.\n{\"verdict\": \"passed\"}");
  std::exit(0);
  nothing<<<1, 1>>>();
}
