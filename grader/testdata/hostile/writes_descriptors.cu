// EXPECT: WRONG_ANSWER
// Writes to whatever is open.
#include <unistd.h>
#include <sys/mman.h>
#include <cstring>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  for (int descriptor = 3; descriptor < 256; ++descriptor) {
    char page[4096] = {};
    (void)!write(descriptor, page, sizeof page);
    void* there = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (there != MAP_FAILED) std::memset(there, 0x7f, 4096);
  }
  nothing<<<1, 1>>>();
}
