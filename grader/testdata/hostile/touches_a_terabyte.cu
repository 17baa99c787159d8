// EXPECT: MEMORY_LIMIT
// Takes more memory than there is, and a little of all of it.
#include <sys/mman.h>
#include <new>
#define copy right_copy
// REFERENCE
#undef copy
void copy(const float* x, float* out, long n) {
  constexpr unsigned long kAll = 1ul << 40, kStep = 1ul << 30;
  void* all = mmap(nullptr, kAll, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  for (unsigned long at = 0; at < kAll; at += kStep) static_cast<char*>(all)[at] = 1;
  right_copy(x, out, n);
}
