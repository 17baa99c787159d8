#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "grader/device/device.h"
#include "grader/device/gpu_profile.h"
#include "grader/gpu/frames.h"
#include "grader/gpu/protocol.h"

namespace fusebox::gpu {

class ExecutorProcess;

struct GpuSettings {
  std::filesystem::path executor;      ///< build/bin/gpu_executor
  std::vector<std::string> arguments;  ///< of the executor; the real one takes none
  double start_seconds = 60;           ///< for a driver that has to wake the GPU first
  double execute_seconds = 10;         ///< one plan; beyond it a kernel hangs
  double time_seconds = 120;           ///< one TimeRequest
};

/// Where `Gpu` may be asked for at all: cheap, starts nothing.
bool driver_is_present();

/// A real GPU behind an executor process. Whatever a kernel does there ends that process at most: the Run
/// then holds a fault with the kernel's name, and the next plan gets a fresh process, which proves itself
/// with a kernel of its own first. Safe to use from several threads; plans run one at a time.
class Gpu : public Device {
 public:
  /// No driver, no GPU, or one on which nothing runs: an error with exit 3.
  static Result<std::unique_ptr<Gpu>> open(GpuSettings settings);
  ~Gpu() override;

  const DeviceInfo& info() const { return info_; }
  /// "NVIDIA H200, driver 580.159.04"
  std::string description() const;
  /// Limits and rates of this very GPU; what the driver does not tell is taken from `like`.
  GpuProfile profile(const GpuProfile& like) const;

  AddressRange address_range() const override { return info_.range; }
  /// Faults have the kinds "illegal-address", "misaligned", "trap", "assert", "endless-loop", "bad-launch",
  /// "crash" and "garbled". Every byte counts as written: a GPU keeps no record. With options.model each
  /// launch's time is measured.
  Result<Run> execute(const LaunchPlan& plan, const ModuleImage& module, std::span<const Buffer> buffers,
                      const ExecuteOptions& options) override;

  /// Times variants against each other. A plan that fails is told as in execute(), as an error with exit 1.
  Result<TimeReply> time(const TimeRequest& request);

 private:
  struct Broken;
  explicit Gpu(GpuSettings settings);
  /// A process that has greeted. Runs unless one is running.
  Result<bool> wake();
  /// One request and its reply's payload; progress is kept on the way.
  std::variant<std::vector<std::byte>, Broken> exchange(FrameKind kind, std::span<const std::byte> payload,
                                                        double seconds, std::uint64_t max_bytes);
  /// What becomes of a plan that got no reply: a fault, or an error. Ends the process.
  Result<Run> broken_off(const LaunchPlan& plan, std::span<const Buffer> buffers, Broken broken, Run run);

  GpuSettings settings_;
  DeviceInfo info_;
  std::unique_ptr<ExecutorProcess> process_;
  std::string last_problem_;  ///< why the last process ended
  std::mutex one_at_a_time_;
};

}  // namespace fusebox::gpu
