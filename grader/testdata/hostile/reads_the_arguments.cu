// EXPECT: WRONG_ANSWER
// Prints what it was started with, and by whom.
#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  for (const char* path : {"/proc/self/cmdline", "/proc/1/cmdline", "/proc/self/../1/environ"}) {
    char text[4096] = {};
    const int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, text, sizeof text - 1) > 0) std::puts(text);
  }
  nothing<<<1, 1>>>();
}
