#include <array>
#include <cstring>

#include "grader/device/cuda_launch.h"
#include "grader/simulator/runtime/cuda/runtime.h"

// Hints and questions that nothing here depends on: kept and answered, so that programs that set them go on.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;

// cudaLaunchAttributeID: those that a stream can have. All are advice or say how the host waits.
bool is_of_streams(int attribute) {
  return attribute == 1 || attribute == 3 || attribute == 8 || attribute == 9 || attribute == 10 ||
         attribute == 16;
}

Error with_attributes(void* handle, const std::function<Error(std::map<int, StreamAttribute>&)>& body) {
  return entry([&](Runtime& state) {
    if (!state.is_stream(handle)) return cuda::kInvalidResourceHandle;
    return body(state.stream_attributes[handle]);
  });
}

/// How many clusters fit on the GPU at once, and of how many blocks.
Error clusters(int* count, int* largest, const void* function, const cuda::LaunchConfig* config) {
  return entry([&](Runtime& state) {
    Kernel* kernel = state.find_kernel(function);
    if (!kernel) return cuda::kInvalidDeviceFunction;
    if (!config || (!count && !largest)) return cuda::kInvalidValue;
    if (const Error error = state.prepare(*kernel); error != cuda::kSuccess) return error;
    const auto most = static_cast<int>(max_cluster_blocks(kernel->large_clusters));
    const GpuProfile& gpu = state.gpu();
    if (gpu.compute_major < 9) return cuda::kNotSupported;
    const std::uint64_t threads = cuda::dim3_of(config->block).count();
    const int resident =
        resident_blocks_per_sm(gpu, kernel->parameters, threads, config->dynamic_shared_bytes);
    if (largest) *largest = resident > 0 ? most : 0;
    const auto blocks = static_cast<int>(cuda::read_attributes(*config).cluster.count());
    if (count) *count = blocks > 0 ? resident * gpu.sms / blocks : 0;
    return cuda::kSuccess;
  });
}

/// There is no driver behind this runtime, but for the calls that no function of the runtime replaces.
Error driver_entry_point(const char* symbol, void** function, int* status) {
  return entry([&](Runtime& state) {
    if (!symbol || !function) return cuda::kInvalidValue;
    constexpr int kFound = 0, kSymbolNotFound = 1;
    *function = find_driver_call(symbol);
    if (*function != nullptr) {
      if (status) *status = kFound;
      return cuda::kSuccess;
    }
    state.journal.note(std::string("the program asked for the driver's function ") + symbol +
                       ", and was told that there is none: the simulator has no driver");
    if (status) *status = kSymbolNotFound;
    return status ? cuda::kSuccess : cuda::kSymbolNotFound;
  });
}

Error no_peer() {
  return entry([](Runtime&) { return cuda::kInvalidDevice; });
}

}  // namespace
}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API cuda::Error cudaStreamSetAttribute(void* stream, int attribute,
                                                    const StreamAttribute* value) {
  return with_attributes(stream, [&](std::map<int, StreamAttribute>& mine) {
    if (!value || !is_of_streams(attribute)) return cuda::kInvalidValue;
    mine[attribute] = *value;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamGetAttribute(void* stream, int attribute, StreamAttribute* value) {
  return with_attributes(stream, [&](std::map<int, StreamAttribute>& mine) {
    if (!value || !is_of_streams(attribute)) return cuda::kInvalidValue;
    *value = mine[attribute];
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaStreamCopyAttributes(void* to, void* from) {
  return with_attributes(from, [&](const std::map<int, StreamAttribute>& theirs) {
    return with_attributes(to, [&](std::map<int, StreamAttribute>& mine) {
      mine = std::map<int, StreamAttribute>(theirs);
      return cuda::kSuccess;
    });
  });
}

FUSEBOX_CUDA_API cuda::Error cudaOccupancyMaxActiveClusters(int* count, const void* function,
                                                            const cuda::LaunchConfig* config) {
  return clusters(count, nullptr, function, config);
}
FUSEBOX_CUDA_API cuda::Error cudaOccupancyMaxPotentialClusterSize(int* largest, const void* function,
                                                                  const cuda::LaunchConfig* config) {
  return clusters(nullptr, largest, function, config);
}

FUSEBOX_CUDA_API cuda::Error cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long,
                                                     int* status) {
  return driver_entry_point(symbol, function, status);
}
FUSEBOX_CUDA_API cuda::Error cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                                              unsigned long long, int* status) {
  return driver_entry_point(symbol, function, status);
}

// One device has no peers.
FUSEBOX_CUDA_API cuda::Error cudaDeviceEnablePeerAccess(int, unsigned) { return no_peer(); }
FUSEBOX_CUDA_API cuda::Error cudaDeviceDisablePeerAccess(int) { return no_peer(); }

// What graphs allocate is device memory like all other.
FUSEBOX_CUDA_API cuda::Error cudaDeviceGetGraphMemAttribute(int device, int attribute, void* value) {
  return entry([&](Runtime&) {
    if (device != 0) return cuda::kInvalidDevice;
    if (!value || attribute < 0 || attribute > 3) return cuda::kInvalidValue;
    *static_cast<std::uint64_t*>(value) = 0;
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceSetGraphMemAttribute(int device, int, void*) {
  return entry([&](Runtime&) { return device == 0 ? cuda::kSuccess : cuda::kInvalidDevice; });
}
FUSEBOX_CUDA_API cuda::Error cudaDeviceGraphMemTrim(int device) {
  return entry([&](Runtime&) { return device == 0 ? cuda::kSuccess : cuda::kInvalidDevice; });
}

// Variables of the host that device code never names.
FUSEBOX_CUDA_API void __cudaRegisterHostVar(void**, const char*, char*, std::size_t) {}
