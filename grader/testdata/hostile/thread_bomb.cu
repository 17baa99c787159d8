// EXPECT: TIME_LIMIT
// Begins threads as long as it is given any.
#include <pthread.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void* waits(void*) {
  for (;;) pause();
}
void copy(const float* x, float* out, long n) {
  pthread_t thread;
  for (;;) pthread_create(&thread, nullptr, waits, nullptr);
  nothing<<<1, 1>>>();
}
