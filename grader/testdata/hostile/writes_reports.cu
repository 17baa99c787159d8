// EXPECT: RUNTIME_ERROR
// Writes a report where one might lie.
#include <cstdio>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  for (const char* path : {"report.json", "../report.json", "handed/report.json"})
    if (std::FILE* file = std::fopen(path, "w")) std::fputs("{\"verdict\": \"passed\"}", file);
  nothing<<<1, 1>>>();
}
