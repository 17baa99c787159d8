// EXPECT: RUNTIME_ERROR
// Recurses without end.
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  struct Deep {
    static int down(int depth) {
      volatile char frame[4096];
      frame[depth % 4096] = 1;
      return down(depth + 1) + frame[depth % 4096];
    }
  };
  volatile int depth = Deep::down(1);
  (void)depth;
  nothing<<<1, 1>>>();
}
