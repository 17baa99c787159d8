// What is not offered says its name, returns its error, and never looks like a success.
//# exit 1
//# stdout cudaErrorNotSupported
//# says cudaIpcGetMemHandle is not supported by the simulator
#include <cstdio>

int main() {
  int* buffer;
  cudaMalloc(&buffer, 4);
  cudaIpcMemHandle_t handle;
  std::puts(cudaGetErrorName(cudaIpcGetMemHandle(&handle, buffer)));
}
