// EXPECT: RUNTIME_ERROR
// Tells a name server what it knows.
#include <netdb.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  addrinfo* found = nullptr;
  getaddrinfo("answers.example.org", "80", nullptr, &found);
  nothing<<<1, 1>>>();
}
