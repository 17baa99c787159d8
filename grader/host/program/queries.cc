#include <utility>

#include "grader/device/cuda_errors.h"
#include "grader/device/cuda_launch.h"
#include "grader/device/device_properties.h"
#include "grader/host/program/runtime.h"

// Questions about the device, about kernels, and about errors.
namespace fusebox::recording {
namespace {

using cuda::Error;

/// The part of the runtime that CUDA 12 and 13 share is what is offered.
constexpr int kRuntimeVersion = 12000;

/// Runs `body` on a kernel that the request knows.
template <class Body>
Error with_kernel(const void* function, Body body) {
  return entry([&](Runtime& state) {
    Kernel* kernel = state.find_kernel(function);
    if (!kernel || !kernel->parameters) return cuda::kInvalidDeviceFunction;
    return body(state, *kernel, *kernel->parameters);
  });
}

Error occupancy(int* blocks, const void* function, int threads, std::size_t shared) {
  return with_kernel(function, [&](Runtime& state, Kernel&, const KernelParameters& parameters) {
    if (!blocks || threads <= 0) return cuda::kInvalidValue;
    *blocks =
        resident_blocks_per_sm(state.request.gpu, parameters, static_cast<std::uint64_t>(threads), shared);
    return cuda::kSuccess;
  });
}

Error properties(void* target, int device, cuda::PropertiesLayout layout) {
  return entry([&](Runtime& state) {
    if (!target) return cuda::kInvalidValue;
    if (device != 0) return cuda::kInvalidDevice;
    cuda::write_device_properties(state.request.gpu, {}, layout, target);
    return cuda::kSuccess;
  });
}

}  // namespace
}  // namespace fusebox::recording

using namespace fusebox;
using namespace fusebox::recording;

FUSEBOX_CUDA_API cuda::Error cudaGetLastError() {
  const cuda::Error error = std::exchange(last_error(), cuda::kSuccess);
  // The host function has looked at the error: it is checked.
  if (error != cuda::kSuccess) entry([](Runtime& state) { return state.bad_copy.clear(), cuda::kSuccess; });
  return error;
}
FUSEBOX_CUDA_API cuda::Error cudaPeekAtLastError() { return last_error(); }
FUSEBOX_CUDA_API const char* cudaGetErrorName(cuda::Error error) { return cuda::error_name(error); }
FUSEBOX_CUDA_API const char* cudaGetErrorString(cuda::Error error) { return cuda::error_text(error); }

FUSEBOX_CUDA_API cuda::Error cudaDeviceSynchronize() {
  return entry([](Runtime& state) {
    state.order.join_all();
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGetDevice(int* device) {
  return entry([&](Runtime&) {
    if (!device) return cuda::kInvalidValue;
    *device = 0;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaSetDevice(int device) {
  return entry([&](Runtime&) { return device == 0 ? cuda::kSuccess : cuda::kInvalidDevice; });
}
FUSEBOX_CUDA_API cuda::Error cudaGetDeviceCount(int* count) {
  return entry([&](Runtime&) {
    if (!count) return cuda::kInvalidValue;
    *count = 1;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaRuntimeGetVersion(int* version) {
  if (version) *version = kRuntimeVersion;
  return cuda::kSuccess;
}
FUSEBOX_CUDA_API cuda::Error cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

// CUDA 12's headers turn cudaGetDeviceProperties into the _v2 name, so each name comes with one layout.
FUSEBOX_CUDA_API cuda::Error cudaGetDeviceProperties_v2(void* target, int device) {
  return properties(target, device, cuda::PropertiesLayout::cuda12);
}
FUSEBOX_CUDA_API cuda::Error cudaGetDeviceProperties(void* target, int device) {
  return properties(target, device, cuda::PropertiesLayout::cuda13);
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return entry([&](Runtime& state) {
    if (device != 0) return cuda::kInvalidDevice;
    const std::optional<int> answer = cuda::device_attribute(state.request.gpu, {}, attribute);
    if (!value || !answer) return cuda::kInvalidValue;
    *value = *answer;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return cuda::kSuccess;
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceSetCacheConfig(int) { return cuda::kSuccess; }
FUSEBOX_CUDA_API cuda::Error cudaProfilerStart() { return cuda::kSuccess; }
FUSEBOX_CUDA_API cuda::Error cudaProfilerStop() { return cuda::kSuccess; }

FUSEBOX_CUDA_API cuda::Error cudaFuncGetAttributes(cuda::FunctionAttributes* target, const void* function) {
  return with_kernel(function, [&](Runtime& state, Kernel& kernel, const KernelParameters& parameters) {
    if (!target) return cuda::kInvalidValue;
    *target = cuda::function_attributes(state.request.gpu, parameters, kernel.dynamic_shared_allowed);
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaFuncSetAttribute(const void* function, int attribute, int value) {
  return with_kernel(function, [&](Runtime& state, Kernel& kernel, const KernelParameters& parameters) {
    return cuda::set_function_attribute(state.request.gpu, parameters, attribute, value,
                                        kernel.dynamic_shared_allowed);
  });
}
FUSEBOX_CUDA_API cuda::Error cudaFuncSetCacheConfig(const void* function, int) {
  return with_kernel(function, [](Runtime&, Kernel&, const KernelParameters&) { return cuda::kSuccess; });
}
FUSEBOX_CUDA_API cuda::Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                           int threads, std::size_t shared) {
  return occupancy(blocks, function, threads, shared);
}
FUSEBOX_CUDA_API cuda::Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, std::size_t shared, unsigned) {
  return occupancy(blocks, function, threads, shared);
}
