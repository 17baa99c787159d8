#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "grader/device/cuda_abi.h"
#include "grader/device/launch_limits.h"
#include "grader/host/recorder.h"

#define FUSEBOX_CUDA_API extern "C" __attribute__((visibility("default")))

namespace fusebox::recording {

/// A __global__ function of the learner's library.
struct Kernel {
  std::string name;                              ///< mangled
  const KernelParameters* parameters = nullptr;  ///< null: the request does not know it
  std::uint64_t dynamic_shared_allowed = 0;
};

/// A __device__ or __constant__ variable of the learner's library.
struct Symbol {
  std::string name;
  std::uint64_t bytes = 0;
};

/// What the recording CUDA runtime knows. One per process; every entry point holds `mutex`, because host
/// functions may have threads.
class Runtime {
 public:
  RecordRequest request;
  LaunchPlan plan;
  std::string bad_launch;  ///< the first launch that hardware would have refused, in words; empty: none
  std::map<const void*, Kernel> kernels;  ///< by the address of the host stub
  std::map<const void*, Symbol> symbols;  ///< by the address of the host shadow
  std::set<const void*> streams, events;
  std::recursive_mutex mutex;

  /// Takes the request; before any code of the library runs.
  void start(RecordRequest value);

  bool is_device(DeviceAddress address) const { return address >= device_begin_ && address < device_end_; }
  /// Whether [address, address + bytes) may be read or written: inside one live allocation, or in an
  /// argument's buffer, whose size is not known here.
  bool in_bounds(DeviceAddress address, std::uint64_t bytes) const;

  /// 0 when there is no room left.
  DeviceAddress allocate(std::uint64_t bytes);
  bool free(DeviceAddress address);
  std::uint64_t free_bytes() const;

  /// The kernel behind a host stub or a handle; null when there is none.
  Kernel* find_kernel(const void* function);
  void record(PlanOp op);
  /// Bytes of the host that the plan keeps, counted so that it cannot grow without end.
  std::vector<std::byte> take_host_bytes(const void* from, std::uint64_t bytes);

 private:
  DeviceAddress device_begin_ = 0, device_end_ = 0;
  std::map<DeviceAddress, std::uint64_t> live_;  ///< address -> bytes
  std::uint64_t next_ = 0;                       ///< offset in request.allocations
  std::uint64_t live_bytes_ = 0, host_bytes_ = 0;
};

Runtime& runtime();

/// What the calling thread's cudaGetLastError answers.
cuda::Error& last_error();

/// Runs an entry point under the lock and remembers its error.
template <class Body>
cuda::Error entry(Body body) {
  Runtime& state = runtime();
  const std::lock_guard lock(state.mutex);
  const cuda::Error error = body(state);
  if (error != cuda::kSuccess) last_error() = error;
  return error;
}

/// "unsupported": `function` is part of CUDA, but not of what can be recorded.
[[noreturn]] void refuse_call(const char* function, std::string_view why, std::string_view hint);

/// The stream exists: created, or one of the defaults.
bool is_stream(const Runtime& state, const void* stream);

}  // namespace fusebox::recording
