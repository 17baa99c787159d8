// EXPECT: WRONG_ANSWER
// Brings a program of its own.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {

  nothing<<<1, 1>>>();
}
int main() { return 0; }
