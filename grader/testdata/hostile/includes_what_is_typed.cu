// EXPECT: WRONG_ANSWER
// Waits for someone to type: nobody does.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {

  nothing<<<1, 1>>>();
}
#include "/dev/stdin"
