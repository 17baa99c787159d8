//# options --timeout 1
//# exit 1
//# says did not end within 1 seconds
__global__ void nothing() {}
int main() {
  nothing<<<1, 1>>>();
  for (volatile int i = 0;;) (void)i;
}
