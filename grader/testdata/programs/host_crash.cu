// What was launched before the crash is still shown.
//# exit 1
//# launch touch grid=1 block=1
//# says crashed on the host: Segmentation fault
__global__ void touch(int* p) { *p = 1; }

int main(int argc, char**) {
  int* p;
  cudaMalloc(&p, 4);
  touch<<<1, 1>>>(p);
  *reinterpret_cast<volatile int*>(static_cast<long>(argc)) = 1;
}
