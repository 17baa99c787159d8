// EXPECT: WRONG_ANSWER
// Launches what is right when its answer has been taken, and writes over all that is mapped below the C library.
#include <sys/mman.h>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
struct Late {
  const float* x = nullptr;
  float* out = nullptr;
  long n = 0;
  ~Late() {
    if (n == 0) return;
    right_copy(x, out, n);
    std::signal(SIGSEGV, [](int) { _exit(0); });
    const unsigned long library = reinterpret_cast<unsigned long>(&std::printf) & ~4095ul;
    for (unsigned long at = library - (4ul << 30); at < library; at += 4096) {
      unsigned char resident = 0;
      void* page = reinterpret_cast<void*>(at);
      if (mincore(page, 4096, &resident) == 0 && mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0) std::memset(page, 1, 4096);
    }
  }
} late;
void copy(const float* x, float* out, long n) {
  late.x = x, late.out = out, late.n = n;
  nothing<<<1, 1>>>();
}
