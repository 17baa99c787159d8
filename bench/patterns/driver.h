#pragma once

// Modules of PTX text on a GPU, by the driver's API. What goes wrong ends the program.

#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace fusebox::patterns {

inline void check(CUresult result, const std::string& what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "?";
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s: %s\n", what.c_str(), name);
  std::exit(1);
}

/// A module on the first GPU.
class Gpu {
 public:
  explicit Gpu(const std::string& ptx) {
    CUdevice device;
    CUcontext context;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuModuleLoadData(&module_, ptx.c_str()), "cuModuleLoadData");
  }
  /// Zeros.
  CUdeviceptr allocate(std::size_t bytes) {
    CUdeviceptr memory;
    check(cuMemAlloc(&memory, bytes), "cuMemAlloc");
    check(cuMemsetD8(memory, 0, bytes), "cuMemsetD8");
    return memory;
  }
  /// Blocks of one warp; comes back when they are done.
  template <class... Arguments>
  void launch(const std::string& kernel, unsigned blocks, unsigned shared_bytes, Arguments... arguments) {
    check(try_launch(kernel, blocks, shared_bytes, arguments...), kernel);
  }
  /// The same, and says how it ended.
  template <class... Arguments>
  CUresult try_launch(const std::string& kernel, unsigned blocks, unsigned shared_bytes,
                      Arguments... arguments) {
    CUfunction function;
    check(cuModuleGetFunction(&function, module_, kernel.c_str()), kernel);
    void* list[] = {&arguments...};
    check(cuLaunchKernel(function, blocks, 1, 1, 32, 1, 1, shared_bytes, nullptr, list, nullptr), kernel);
    return cuCtxSynchronize();
  }

 private:
  CUmodule module_ = nullptr;
};

}  // namespace fusebox::patterns
