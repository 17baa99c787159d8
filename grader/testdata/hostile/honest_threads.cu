// EXPECT: PASS
// Threads of its own.
#include <thread>
#include <vector>
#define copy right_copy
// REFERENCE
#undef copy
void copy(const float* x, float* out, long n) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([] { std::this_thread::yield(); });
  for (std::thread& thread : threads) thread.join();
  right_copy(x, out, n);
}
