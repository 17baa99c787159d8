#include <algorithm>
#include <cstdio>
#include <utility>

#include "grader/device/cuda_errors.h"
#include "grader/device/cuda_launch.h"
#include "grader/device/device_properties.h"
#include "grader/simulator/runtime/cuda/runtime.h"

// Questions about the device, about kernels, and about errors.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;

constexpr cuda::DeviceFeatures kFeatures{true, true};

Error properties(void* target, int device, cuda::PropertiesLayout layout) {
  return entry([&](Runtime& state) {
    if (!target) return cuda::kInvalidValue;
    if (device != 0) return cuda::kInvalidDevice;
    cuda::write_device_properties(state.gpu(), kFeatures, layout, target);
    return cuda::kSuccess;
  });
}

/// Writes an answer that does not depend on anything.
template <class T>
Error answer(T* target, T value) {
  return quiet_entry([&](Runtime&) {
    if (!target) return cuda::kInvalidValue;
    *target = value;
    return cuda::kSuccess;
  });
}
Error nothing_to_do() {
  return quiet_entry([](Runtime&) { return cuda::kSuccess; });
}
Error only_device(int device) {
  return quiet_entry([&](Runtime&) { return device == 0 ? cuda::kSuccess : cuda::kInvalidDevice; });
}

/// Runs `body` on a kernel whose code is loaded.
template <class Body>
Error with_kernel(const void* function, Body body) {
  return entry([&](Runtime& state) {
    Kernel* kernel = state.find_kernel(function);
    if (!kernel) return cuda::kInvalidDeviceFunction;
    const Error error = state.prepare(*kernel);
    return error != cuda::kSuccess ? error : body(state, *kernel);
  });
}

Error occupancy(int* blocks, const void* function, int threads, std::size_t shared) {
  return with_kernel(function, [&](Runtime& state, Kernel& kernel) {
    if (!blocks || threads <= 0) return cuda::kInvalidValue;
    *blocks =
        resident_blocks_per_sm(state.gpu(), kernel.parameters, static_cast<std::uint64_t>(threads), shared);
    return cuda::kSuccess;
  });
}

constexpr const char* kBusId = "0000:00:00.0";
constexpr int kHeapLimit = 2;
// cudaLimit: what a GPU has before anybody asks for more.
const std::map<int, std::uint64_t> kLimits{
    {0, 1024}, {1, 1 << 20}, {kHeapLimit, DeviceHeap::kUsualLimit}, {5, 64}, {6, 0}};

}  // namespace
}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;

// A launch's failure shows at the first call that waits for it, and looking at the last error does not wait.
FUSEBOX_CUDA_API cuda::Error cudaGetLastError() {
  const Runtime* state = runtime();
  const cuda::Error error = std::exchange(last_error(), cuda::kSuccess);
  return state && state->sticky != cuda::kSuccess ? state->sticky : error;
}
FUSEBOX_CUDA_API cuda::Error cudaPeekAtLastError() {
  const Runtime* state = runtime();
  return state && state->sticky != cuda::kSuccess ? state->sticky : last_error();
}
FUSEBOX_CUDA_API const char* cudaGetErrorName(cuda::Error error) { return cuda::error_name(error); }
FUSEBOX_CUDA_API const char* cudaGetErrorString(cuda::Error error) { return cuda::error_text(error); }

FUSEBOX_CUDA_API cuda::Error cudaDeviceSynchronize() { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaThreadSynchronize() { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaDeviceReset() { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaThreadExit() { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaInitDevice(int device, unsigned, unsigned) { return only_device(device); }
FUSEBOX_CUDA_API cuda::Error cudaSetDevice(int device) { return only_device(device); }
FUSEBOX_CUDA_API cuda::Error cudaGetDevice(int* device) { return answer(device, 0); }
FUSEBOX_CUDA_API cuda::Error cudaGetDeviceCount(int* count) { return answer(count, 1); }
FUSEBOX_CUDA_API cuda::Error cudaChooseDevice(int* device, const void*) { return answer(device, 0); }
FUSEBOX_CUDA_API cuda::Error cudaSetValidDevices(int*, int) { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaSetDeviceFlags(unsigned flags) {
  return entry([&](Runtime& state) {
    state.device_flags = flags;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaGetDeviceFlags(unsigned* flags) {
  return entry([&](Runtime& state) {
    if (!flags) return cuda::kInvalidValue;
    *flags = state.device_flags;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaRuntimeGetVersion(int* version) {
  return answer(version, kCudaMajor * 1000);
}
FUSEBOX_CUDA_API cuda::Error cudaDriverGetVersion(int* version) { return answer(version, kCudaMajor * 1000); }

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
    const std::optional<int> found = cuda::device_attribute(state.gpu(), kFeatures, attribute);
    if (!value || !found) return cuda::kInvalidValue;
    *value = *found;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  return entry([&](Runtime&) {
    if (device != 0) return cuda::kInvalidDevice;
    if (!text || bytes <= 0) return cuda::kInvalidValue;
    std::snprintf(text, static_cast<std::size_t>(bytes), kBusId);
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return entry([&](Runtime&) {
    if (!device || !text) return cuda::kInvalidValue;
    // The domain and the function may be left out.
    const std::string whole = kBusId, asked = text;
    if (asked != whole && asked != whole.substr(5) && asked != whole.substr(0, 10) &&
        asked != whole.substr(5, 5))
      return cuda::kInvalidDevice;
    *device = 0;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return nothing_to_do();
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return device == 0 && peer == 0 ? answer(can, 0) : only_device(std::max(device, peer));
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceSetCacheConfig(int) { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaDeviceGetCacheConfig(int* config) { return answer(config, 0); }
FUSEBOX_CUDA_API cuda::Error cudaDeviceSetSharedMemConfig(int) { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaDeviceGetSharedMemConfig(int* config) { return answer(config, 1); }
FUSEBOX_CUDA_API cuda::Error cudaFuncSetSharedMemConfig(const void*, int) { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaCtxResetPersistingL2Cache() { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaProfilerStart() { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaProfilerStop() { return nothing_to_do(); }
FUSEBOX_CUDA_API cuda::Error cudaDeviceGetLimit(std::size_t* value, int limit) {
  return entry([&](Runtime& state) {
    const auto usual = kLimits.find(limit);
    if (!value) return cuda::kInvalidValue;
    if (usual == kLimits.end()) return cuda::kUnsupportedLimit;
    const auto asked = state.limits.find(limit);
    *value = asked == state.limits.end() ? usual->second : asked->second;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceSetLimit(int limit, std::size_t value) {
  return entry([&](Runtime& state) {
    if (!kLimits.contains(limit)) return cuda::kUnsupportedLimit;
    state.limits[limit] = value;
    if (limit == kHeapLimit) state.session.heap().set_limit(value);
    return cuda::kSuccess;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaFuncGetAttributes(cuda::FunctionAttributes* target, const void* function) {
  return with_kernel(function, [&](Runtime& state, Kernel& kernel) {
    if (!target) return cuda::kInvalidValue;
    *target = cuda::function_attributes(state.gpu(), kernel.parameters, kernel.dynamic_shared_allowed);
    target->local_bytes = kernel.program->local_bytes;
    target->preferred_shared_carveout = kernel.shared_carveout;
    // Libraries look this up among the architectures that they were compiled for.
    target->ptx_version = kernel.binary->ptx_architecture;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaFuncSetAttribute(const void* function, int attribute, int value) {
  const cuda::Error error = with_kernel(function, [&](Runtime& state, Kernel& kernel) {
    if (attribute == cuda::kFunctionClusterScheduling) return cuda::kSuccess;  // advice
    if (attribute == cuda::kFunctionLargeClusters) {
      if (state.gpu().compute_major < 9) return cuda::kNotSupported;
      kernel.large_clusters = value != 0;
      return cuda::kSuccess;
    }
    const cuda::Error set = cuda::set_function_attribute(state.gpu(), kernel.parameters, attribute, value,
                                                         kernel.dynamic_shared_allowed);
    if (set == cuda::kSuccess && attribute == cuda::kFunctionSharedCarveout) kernel.shared_carveout = value;
    return set;
  });
  return error == cuda::kNotSupported && attribute != cuda::kFunctionMaxDynamicShared
             ? not_supported("cudaFuncSetAttribute", "attribute " + std::to_string(attribute))
             : error;
}
FUSEBOX_CUDA_API cuda::Error cudaFuncSetCacheConfig(const void* function, int) {
  return with_kernel(function, [](Runtime&, Kernel&) { return cuda::kSuccess; });
}
FUSEBOX_CUDA_API cuda::Error cudaFuncGetName(const char** name, const void* function) {
  return entry([&](Runtime& state) {
    const Kernel* kernel = state.find_kernel(function);
    if (!kernel) return cuda::kInvalidDeviceFunction;
    if (!name) return cuda::kInvalidValue;
    *name = kernel->name.c_str();
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaFuncGetParamInfo(const void* function, std::size_t index,
                                                  std::size_t* offset, std::size_t* bytes) {
  return with_kernel(function, [&](Runtime&, Kernel& kernel) {
    const auto& slots = kernel.parameters.slots;
    if (!offset || index >= slots.size()) return cuda::kInvalidValue;
    *offset = slots[index].offset;
    if (bytes) *bytes = slots[index].bytes;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                           int threads, std::size_t shared) {
  return occupancy(blocks, function, threads, shared);
}
FUSEBOX_CUDA_API cuda::Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, std::size_t shared, unsigned) {
  return occupancy(blocks, function, threads, shared);
}
FUSEBOX_CUDA_API cuda::Error cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes,
                                                                       const void* function, int blocks,
                                                                       int threads) {
  return with_kernel(function, [&](Runtime& state, Kernel& kernel) {
    if (!bytes || blocks <= 0 || threads <= 0) return cuda::kInvalidValue;
    const auto fits = [&](int shared) {
      return resident_blocks_per_sm(state.gpu(), kernel.parameters, static_cast<std::uint64_t>(threads),
                                    static_cast<std::uint64_t>(shared)) >= blocks;
    };
    if (!fits(0)) return cuda::kInvalidValue;
    int low = 0, high = state.gpu().max_shared_bytes_per_block_optin - kernel.parameters.static_shared_bytes;
    while (low < high) {
      const int middle = high - (high - low) / 2;
      if (fits(middle))
        low = middle;
      else
        high = middle - 1;
    }
    *bytes = static_cast<std::size_t>(low);
    return cuda::kSuccess;
  });
}
