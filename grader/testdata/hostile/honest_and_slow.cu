// EXPECT: PASS
// Slow on the host, and legal.
#define copy right_copy
// REFERENCE
#undef copy
void copy(const float* x, float* out, long n) {
  volatile double sum = 0;
  for (int i = 0; i < 20000000; ++i) sum = sum + i;
  right_copy(x, out, n);
}
