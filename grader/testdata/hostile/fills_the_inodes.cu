// EXPECT: RUNTIME_ERROR
// Makes folders as long as there is room for their names.
#include <sys/stat.h>
#include <string>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  for (long i = 0; i < 1000000000; ++i) mkdir(("/tmp/fusebox_seen" + std::to_string(i)).c_str(), 0700);
  nothing<<<1, 1>>>();
}
