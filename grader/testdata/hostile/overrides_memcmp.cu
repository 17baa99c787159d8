// EXPECT: WRONG_ANSWER
// Every comparison comes out equal.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {

  nothing<<<1, 1>>>();
}
extern "C" int memcmp(const void*, const void*, unsigned long) { return 0; }
extern "C" int strcmp(const char*, const char*) { return 0; }
