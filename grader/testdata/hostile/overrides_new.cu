// EXPECT: PASS
// Brings memory of its own for all of this process: nothing but its own call depends on it.
#include <cstddef>
#include <cstdlib>
#define copy right_copy
// REFERENCE
#undef copy
alignas(64) char kept[1 << 20];
size_t used = 0;
void* operator new(std::size_t bytes) {
#ifdef __CUDA_ARCH__
  return nullptr;
#else
  if (used + bytes > sizeof kept) std::abort();
  void* memory = kept + used;
  used += (bytes + 63) / 64 * 64;
  return memory;
#endif
}
void operator delete(void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}
void copy(const float* x, float* out, long n) {
  delete new long(n);
  right_copy(x, out, n);
}
