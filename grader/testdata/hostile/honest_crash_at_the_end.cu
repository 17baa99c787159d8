// EXPECT: PASS
// SAYS: Warning: After your host function had returned, its process crashed: Aborted (SIGABRT).
// Right, and its end is not: what it launched was recorded before.
#include <cstdlib>
#define copy right_copy
// REFERENCE
#undef copy
struct Ends {
  ~Ends() { std::abort(); }
} ends;
void copy(const float* x, float* out, long n) {
  right_copy(x, out, n);
}
