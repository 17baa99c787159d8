// EXPECT: PASS
// SAYS: Warning: After your host function had returned, its process did not end.
// Right, and nobody is kept waiting for it.
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
struct Sleeps {
  ~Sleeps() { for (;;) pause(); }
} sleeps;
void copy(const float* x, float* out, long n) {
  right_copy(x, out, n);
}
