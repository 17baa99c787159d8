// EXPECT: RUNTIME_ERROR
// Puts itself into every program that starts after it.
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  if (std::FILE* file = std::fopen("/etc/ld.so.preload", "a")) std::fputs("/tmp/fusebox_seen\n", file);
  nothing<<<1, 1>>>();
}
