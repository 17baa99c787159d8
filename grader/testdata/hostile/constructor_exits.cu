// EXPECT: RUNTIME_ERROR
// Ends before anything is called.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {

  nothing<<<1, 1>>>();
}
#include <cstdlib>
__attribute__((constructor)) static void early() { std::exit(0); }
