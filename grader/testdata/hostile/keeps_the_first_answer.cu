// EXPECT: WRONG_ANSWER
// Works once and then never again: every case is the first that it is asked for, but for the one behind another.
#define copy right_copy
// REFERENCE
#undef copy
bool begun = false;
void copy(const float* x, float* out, long n) {
  if (begun) return;
  begun = true;
  right_copy(x, out, n);
}
