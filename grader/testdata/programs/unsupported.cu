// What is not offered says its name, returns its error, and never looks like a success.
//# exit 1
//# stdout cudaErrorNotSupported
//# says cudaStreamBeginCapture is not supported by the simulator
#include <cstdio>

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  std::puts(cudaGetErrorName(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal)));
}
