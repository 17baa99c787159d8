// EXPECT: COMPILE_ERROR
// Computes without end while it is compiled.
#define copy right_copy
// REFERENCE
#undef copy
constexpr long endless(long from) {
  long sum = 0;
  for (long i = from; i >= 0; ++i %= 1000) sum = (sum + i) % 7;
  return sum;
}
constexpr long kNumber = endless(0);
void copy(const float* x, float* out, long n) {
  right_copy(x, out, n + kNumber - kNumber);
}
