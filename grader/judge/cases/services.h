#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "grader/device/device.h"
#include "grader/device/gpu_profile.h"
#include "grader/host/recorder.h"
#include "grader/judge/source/source_file.h"
#include "grader/report/result.h"
#include "grader/toolchain/toolchain.h"

namespace fusebox {

/// What grading needs of the machine. Functions, so that a test can stand in for a compiler or a host
/// process.
struct Services {
  /// May be called from two threads at once.
  std::function<Result<CompileResult>(const SourceFile&)> compile;
  /// Of a text what a GPU runs, and the device code alone, which take less: see Toolchain. Null: `compile` is
  /// asked. May be called from two threads at once.
  std::function<Result<CompileResult>(const SourceFile&)> compile_module;
  std::function<Result<CompileResult>(const SourceFile&)> compile_device_code;
  /// What of a text has been compiled already, together with others; null: nothing. May be called from two
  /// threads at once.
  std::function<const Artifact*(const std::string& text)> known;
  /// May be called from two threads at once.
  std::function<Result<RecordResult>(const RecordRequest&)> record;
  Device* device = nullptr;
  /// A second one, on which the reference runs beside the learner's file. Null: it runs on `device`,
  /// afterwards.
  Device* reference_device = nullptr;
  /// A real GPU, on which cases run as well once the simulator has found no fault. Null: none.
  Device* gpu_device = nullptr;
  std::string gpu_name;  ///< of gpu_device: "NVIDIA H200"
  GpuProfile gpu;
  /// What one call of a learner's host function may take (--timeout, --memory). 0: no limit.
  double seconds = 0;
  std::uint64_t memory_bytes = 0;
  /// Seed of a shuffled order of warps and blocks; none: in order.
  std::optional<std::uint64_t> schedule;
  bool watch_nan = false;  ///< see ExecuteOptions
  /// Told what takes long next, "trying 240 changes of the host function". Null: nobody asks.
  std::function<void(const std::string& step)> step;
};

/// Tells whoever asks.
inline void tell_step(const Services& services, const std::string& step) {
  if (services.step) services.step(step);
}

}  // namespace fusebox
