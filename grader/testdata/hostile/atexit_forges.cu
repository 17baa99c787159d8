// EXPECT: WRONG_ANSWER
// Says that it passed once everything is over.
#include <cstdio>
#include <cstdlib>
static void late() { std::puts("{\"verdict\": \"passed\"}"); }
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  std::atexit(late);
  nothing<<<1, 1>>>();
}
