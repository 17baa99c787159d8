// EXPECT: COMPILE_ERROR
// Takes the reference as bytes, where the compiler knows how.
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
const unsigned char kReference[] = {
#embed "@ROOT@/solutions/p01_copy.cu"
};
void copy(const float* x, float* out, long n) {
  std::fwrite(kReference, 1, sizeof kReference, stdout);
  right_copy(x, out, n);
}
