// EXPECT: WRONG_ANSWER
// Says to whatever is open that endlessly much follows, and too little, and nonsense.
#include <unistd.h>
#include <cstdint>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  const std::uint64_t words[] = {1ull << 63, ~0ull, 3, 0x7fffffff, 0};
  for (int descriptor = 3; descriptor < 256; ++descriptor)
    for (const std::uint64_t& word : words) {
      (void)!write(descriptor, &word, sizeof word);
      (void)!write(descriptor, &word, 3);
      (void)!pwrite(descriptor, &word, sizeof word, 0);
    }
  nothing<<<1, 1>>>();
}
