// EXPECT: COMPILE_ERROR
// Templates without end.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {

  nothing<<<1, 1>>>();
}
template <int N>
struct Bomb {
  static constexpr int value = Bomb<N + 1>::value;
};
int bomb = Bomb<0>::value;
