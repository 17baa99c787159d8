#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/gpu/executor/driver.h"
#include "grader/gpu/protocol.h"

namespace fusebox::gpu {

/// Thrown inside the executor only: whatever it is, it ends as the executor's last frame.
struct ExecutorError {
  Failure failure;
};

/// Kernels of one file, loaded for this GPU.
class DriverModule {
 public:
  /// The cubin where it fits this GPU, else the PTX.
  DriverModule(const cu::Driver& driver, const std::string& ptx, std::span<const std::byte> cubin);
  ~DriverModule();
  DriverModule(const DriverModule&) = delete;
  DriverModule& operator=(const DriverModule&) = delete;

  cu::Function function(const std::string& name);
  cu::DevicePointer symbol(const std::string& name);

 private:
  const cu::Driver& driver_;
  cu::Module module_ = nullptr;
  std::map<std::string, cu::Function> functions_;
};

/// The GPU: its context, one stream, and the reserved addresses of which parts have memory behind them.
class ExecutorSession {
 public:
  /// Everything that can be missing ends in ExecutorError with one clause that says what.
  ExecutorSession();

  const cu::Driver& driver() const { return driver_; }
  const DeviceInfo& info() const { return info_; }
  cu::Stream stream() const { return stream_; }

  /// Puts memory behind these ranges, whole granules of it, and takes it away from behind all others.
  void map(std::vector<AddressRange> ranges);
  /// Makes everything that is mapped undefined: all ones, a NaN in every float type.
  void poison();

  void check(cu::Result result, const std::string& doing, std::int64_t op = -1) const;
  void synchronize(const std::string& doing, std::int64_t op = -1) const;
  /// Enqueues one operation. Allocations have their memory already.
  void enqueue(DriverModule& module, const PlanOp& op, std::int64_t index);
  /// Gives the host's memory for copies back: at the end of a request, when nothing repeats them any more.
  void forget_pinned();

 private:
  /// A copy of a plan's bytes that the GPU reads by itself: from other memory the host would have to help,
  /// and would wait for a stream that is being held back.
  const void* pinned(const std::vector<std::byte>& bytes);
  void unmap_all();
  void describe();
  void reserve();
  void prove();

  struct Mapped {
    AddressRange range;
    cu::MemoryHandle handle = 0;
  };
  cu::Driver driver_;
  cu::Device device_ = 0;
  cu::Stream stream_ = nullptr;
  std::uint64_t granule_ = 2 << 20;
  std::vector<Mapped> mapped_;
  std::map<const std::byte*, void*> pinned_;  ///< by where the plan has the bytes
  DeviceInfo info_;
};

/// Where the plan and its buffers need memory.
std::vector<AddressRange> ranges_of(const LaunchPlan& plan, std::span<const Buffer> buffers);
/// An allocation or a release: nothing is enqueued for it.
bool is_bookkeeping(const PlanOp& op);

/// Runs a plan once and returns its buffers. `announce` is called before each operation.
ExecuteReply execute(ExecutorSession& session, const ExecuteRequest& request,
                     const std::function<void(std::uint64_t)>& announce);

}  // namespace fusebox::gpu
