// Calls that the recorder does not offer: found out when the library is loaded.
#include <cuda_runtime.h>

extern "C" void pitched() {
  void* p;
  size_t pitch;
  cudaMallocPitch(&p, &pitch, 100, 100);
}
