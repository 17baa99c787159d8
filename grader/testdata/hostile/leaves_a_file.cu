// EXPECT: RUNTIME_ERROR
// Tells the next case what it saw.
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  if (std::FILE* file = std::fopen("/tmp/fusebox_seen", "a")) std::fprintf(file, "%ld\n", n);
  nothing<<<1, 1>>>();
}
