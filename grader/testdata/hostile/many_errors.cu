// EXPECT: COMPILE_ERROR
// Errors without end.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {

  nothing<<<1, 1>>>();
}
#define A(x) x x x x x x x x x x x x x x x x
A(A(A(A(A(wrong;)))))
