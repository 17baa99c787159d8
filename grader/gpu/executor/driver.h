#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

// The part of the CUDA driver's binary interface that the executor uses, in our own declarations: it is built
// where no CUDA Toolkit is, and the driver is loaded when it runs.
namespace fusebox::gpu::cu {

using Result = int;
using Device = int;
using DevicePointer = std::uint64_t;
using Context = struct ContextBody*;
using Module = struct ModuleBody*;
using Function = struct FunctionBody*;
using Stream = struct StreamBody*;
using Event = struct EventBody*;
using Graph = struct GraphBody*;
using GraphExec = struct GraphExecBody*;
using MemoryHandle = unsigned long long;

struct Location {
  int type, id;
};
struct AllocationProperties {
  int type, handle_types;
  Location location;
  void* windows;
  std::uint8_t compression, rdma;
  std::uint16_t usage;
  std::uint8_t reserved[4];
};
static_assert(sizeof(AllocationProperties) == 32);
struct AccessDescription {
  Location location;
  int flags;
};
static_assert(sizeof(AccessDescription) == 12);

struct LaunchAttribute {
  std::uint32_t id;
  std::uint32_t padding;
  union {
    int cooperative;
    unsigned cluster[3];
    std::byte space[64];
  } value;
};
static_assert(sizeof(LaunchAttribute) == 72);
struct LaunchConfig {
  unsigned grid[3], block[3], shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(LaunchConfig) == 56);

inline constexpr int kDeviceLocation = 1, kPinned = 1, kReadWrite = 3;
inline constexpr int kNoBinaryForGpu = 209, kOutOfMemory = 2;
inline constexpr std::uint32_t kAttributeCooperative = 2, kAttributeCluster = 4;
inline constexpr int kFunctionMaxDynamicShared = 8;
inline constexpr unsigned kNonBlockingStream = 1, kHostAllocPortable = 1, kHostAllocMapped = 2;
inline constexpr int kCaptureRelaxed = 2;

// Every function that is needed: what we call it, its exported name, its parameters.
#define FUSEBOX_DRIVER_FUNCTIONS(X)                                                                      \
  X(init, cuInit, (unsigned))                                                                            \
  X(driver_version, cuDriverGetVersion, (int*))                                                          \
  X(error_name, cuGetErrorName, (Result, const char**))                                                  \
  X(error_text, cuGetErrorString, (Result, const char**))                                                \
  X(device_count, cuDeviceGetCount, (int*))                                                              \
  X(device_get, cuDeviceGet, (Device*, int))                                                             \
  X(device_name, cuDeviceGetName, (char*, int, Device))                                                  \
  X(device_attribute, cuDeviceGetAttribute, (int*, int, Device))                                         \
  X(device_memory, cuDeviceTotalMem_v2, (std::size_t*, Device))                                          \
  X(device_bus, cuDeviceGetPCIBusId, (char*, int, Device))                                               \
  X(context_retain, cuDevicePrimaryCtxRetain, (Context*, Device))                                        \
  X(context_current, cuCtxSetCurrent, (Context))                                                         \
  X(context_synchronize, cuCtxSynchronize, ())                                                           \
  X(memory_info, cuMemGetInfo_v2, (std::size_t*, std::size_t*))                                          \
  X(module_load, cuModuleLoadDataEx, (Module*, const void*, unsigned, int*, void**))                     \
  X(module_unload, cuModuleUnload, (Module))                                                             \
  X(module_function, cuModuleGetFunction, (Function*, Module, const char*))                              \
  X(module_global, cuModuleGetGlobal_v2, (DevicePointer*, std::size_t*, Module, const char*))            \
  X(function_set, cuFuncSetAttribute, (Function, int, int))                                              \
  X(launch, cuLaunchKernelEx, (const LaunchConfig*, Function, void**, void**))                           \
  X(address_reserve, cuMemAddressReserve,                                                                \
    (DevicePointer*, std::size_t, std::size_t, DevicePointer, unsigned long long))                       \
  X(address_free, cuMemAddressFree, (DevicePointer, std::size_t))                                        \
  X(memory_granularity, cuMemGetAllocationGranularity, (std::size_t*, const AllocationProperties*, int)) \
  X(memory_create, cuMemCreate,                                                                          \
    (MemoryHandle*, std::size_t, const AllocationProperties*, unsigned long long))                       \
  X(memory_release, cuMemRelease, (MemoryHandle))                                                        \
  X(memory_map, cuMemMap, (DevicePointer, std::size_t, std::size_t, MemoryHandle, unsigned long long))   \
  X(memory_unmap, cuMemUnmap, (DevicePointer, std::size_t))                                              \
  X(memory_access, cuMemSetAccess, (DevicePointer, std::size_t, const AccessDescription*, std::size_t))  \
  X(allocate, cuMemAlloc_v2, (DevicePointer*, std::size_t))                                              \
  X(release, cuMemFree_v2, (DevicePointer))                                                              \
  X(allocate_host, cuMemHostAlloc, (void**, std::size_t, unsigned))                                      \
  X(release_host, cuMemFreeHost, (void*))                                                                \
  X(host_address, cuMemHostGetDevicePointer_v2, (DevicePointer*, void*, unsigned))                       \
  X(to_device, cuMemcpyHtoDAsync_v2, (DevicePointer, const void*, std::size_t, Stream))                  \
  X(to_host, cuMemcpyDtoHAsync_v2, (void*, DevicePointer, std::size_t, Stream))                          \
  X(on_device, cuMemcpyDtoDAsync_v2, (DevicePointer, DevicePointer, std::size_t, Stream))                \
  X(fill, cuMemsetD8Async, (DevicePointer, unsigned char, std::size_t, Stream))                          \
  X(stream_create, cuStreamCreate, (Stream*, unsigned))                                                  \
  X(stream_synchronize, cuStreamSynchronize, (Stream))                                                   \
  X(capture_begin, cuStreamBeginCapture_v2, (Stream, int))                                               \
  X(capture_end, cuStreamEndCapture, (Stream, Graph*))                                                   \
  X(graph_instantiate, cuGraphInstantiateWithFlags, (GraphExec*, Graph, unsigned long long))             \
  X(graph_upload, cuGraphUpload, (GraphExec, Stream))                                                    \
  X(graph_launch, cuGraphLaunch, (GraphExec, Stream))                                                    \
  X(graph_exec_destroy, cuGraphExecDestroy, (GraphExec))                                                 \
  X(graph_destroy, cuGraphDestroy, (Graph))                                                              \
  X(event_create, cuEventCreate, (Event*, unsigned))                                                     \
  X(event_record, cuEventRecord, (Event, Stream))                                                        \
  X(event_synchronize, cuEventSynchronize, (Event))                                                      \
  X(event_elapsed, cuEventElapsedTime, (float*, Event, Event))

/// The loaded driver; its functions under our names.
struct Driver {
#define FUSEBOX_DECLARE(ours, theirs, parameters) Result(*ours) parameters = nullptr;
  FUSEBOX_DRIVER_FUNCTIONS(FUSEBOX_DECLARE)
#undef FUSEBOX_DECLARE
};

/// Loads libcuda.so.1. Empty: it worked; else why not, in one clause.
std::string load_driver(Driver& driver);

}  // namespace fusebox::gpu::cu
