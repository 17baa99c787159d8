#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "grader/device/cuda_abi.h"
#include "grader/device/launch_limits.h"
#include "grader/host/program/order.h"
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
  /// The first launch that hardware would have refused, in words, and what to do; empty: none.
  std::string bad_launch, bad_launch_hint;
  /// The first copy or fill that hardware would have refused and whose error was not checked: what was
  /// called, and why it is not done. Empty: none.
  std::string bad_copy, bad_copy_hint;
  std::map<const void*, Kernel> kernels;  ///< by the address of the host stub
  std::map<const void*, Symbol> symbols;  ///< by the address of the host shadow
  Order order;                            ///< of streams and events
  std::recursive_mutex mutex;

  /// Takes the request; before any code of the library runs.
  void start(RecordRequest value);
  /// A call of the function is over, another one begins: the device has done what was asked for.
  void begin_next_call();

  bool is_device(DeviceAddress address) const { return address >= device_begin_ && address < device_end_; }
  /// The first byte of a buffer that the host function was given.
  bool is_argument(DeviceAddress address) const { return argument_buffers_.contains(address); }
  /// Whether [address, address + bytes) may be read or written: inside one live allocation, or in an
  /// argument's buffer, whose size is not known here.
  bool in_bounds(DeviceAddress address, std::uint64_t bytes) const;

  /// 0 when there is no room left. `stream`: that gives the memory out or takes it back; none: the host.
  DeviceAddress allocate(std::uint64_t bytes, std::optional<const void*> stream);
  bool free(DeviceAddress address, std::optional<const void*> stream);
  std::uint64_t free_bytes() const;

  /// The kernel behind a host stub or a handle; null when there is none.
  Kernel* find_kernel(const void* function);
  /// An operation of a stream, or of the host. What a stream that is being captured is given, is kept for
  /// later.
  void record(PlanOp op, std::optional<const void*> stream);
  /// The operations of a graph, once more.
  void record_graph(const void* graph, const void* stream);
  /// Bytes of the host that the plan keeps, counted so that it cannot grow without end.
  std::vector<std::byte> take_host_bytes(const void* from, std::uint64_t bytes);

 private:
  void make_room(std::size_t ops) const;
  void note_pointers(std::span<const HostArgument> arguments);

  DeviceAddress device_begin_ = 0, device_end_ = 0;
  std::set<DeviceAddress> argument_buffers_;
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

/// Success, unless there is no such stream.
cuda::Error check_stream(const Runtime& state, const void* stream);

}  // namespace fusebox::recording
