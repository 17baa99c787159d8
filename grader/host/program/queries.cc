#include <algorithm>
#include <cstring>

#include "grader/device/cuda_errors.h"
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

FUSEBOX_CUDA_API cuda::Error cudaGetLastError() { return std::exchange(last_error(), cuda::kSuccess); }
FUSEBOX_CUDA_API cuda::Error cudaPeekAtLastError() { return last_error(); }
FUSEBOX_CUDA_API const char* cudaGetErrorName(cuda::Error error) { return cuda::error_name(error); }
FUSEBOX_CUDA_API const char* cudaGetErrorString(cuda::Error error) { return cuda::error_text(error); }

FUSEBOX_CUDA_API cuda::Error cudaDeviceSynchronize() { return cuda::kSuccess; }
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
    const GpuProfile& gpu = state.request.gpu;
    const int architecture = gpu.compute_major * 10 + gpu.compute_minor;
    std::memset(static_cast<void*>(target), 0, sizeof *target);
    target->shared_bytes = static_cast<std::size_t>(parameters.static_shared_bytes);
    target->max_threads_per_block = max_threads_per_block(gpu, parameters);
    target->registers = parameters.registers;
    target->ptx_version = architecture;
    target->binary_version = architecture;
    target->max_dynamic_shared_bytes =
        kernel.dynamic_shared_allowed > 0
            ? static_cast<int>(kernel.dynamic_shared_allowed)
            : std::max(0, gpu.max_shared_bytes_per_block - parameters.static_shared_bytes);
    target->preferred_shared_carveout = -1;
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaFuncSetAttribute(const void* function, int attribute, int value) {
  return with_kernel(function, [&](Runtime& state, Kernel& kernel, const KernelParameters& parameters) {
    if (attribute == cuda::kFunctionSharedCarveout)
      return value >= -1 && value <= 100 ? cuda::kSuccess : cuda::kInvalidValue;
    if (attribute != cuda::kFunctionMaxDynamicShared) return cuda::kNotSupported;
    const GpuProfile& gpu = state.request.gpu;
    const int most = std::max(gpu.max_shared_bytes_per_block, gpu.max_shared_bytes_per_block_optin);
    if (value < 0 || value > most - parameters.static_shared_bytes) return cuda::kInvalidValue;
    kernel.dynamic_shared_allowed = static_cast<std::uint64_t>(value);
    return cuda::kSuccess;
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
