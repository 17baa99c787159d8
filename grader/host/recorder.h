#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "grader/device/gpu_profile.h"
#include "grader/device/launch_limits.h"
#include "grader/device/plan.h"
#include "grader/report/failure_kind.h"
#include "grader/report/result.h"

namespace fusebox {

/// A scalar or an address for the host function; bits in the low bytes. A host_array is the address of
/// `bytes`, wherever they come to lie in the function's own process.
struct HostArgument {
  enum class Kind : std::uint32_t { pointer, int32, int64, float32, host_array } kind = Kind::pointer;
  std::uint64_t bits = 0;
  std::vector<std::byte> bytes = {};
};

/// An int of a library in whose host code many changes stand, each behind a condition: which one is made.
inline constexpr const char* kHostEditSwitch = "fusebox_host_edit";

/// One call of one host function, or calls of it in a row. It holds nothing by which the function could tell
/// one case from another but the arguments.
struct RecordRequest {
  std::filesystem::path library;  ///< Artifact::host_library
  std::string function;           ///< mangled
  /// Of calls in the same process before it, in their order: the device has done what each asked for when the
  /// next comes.
  std::vector<std::vector<HostArgument>> calls_before = {};
  std::vector<HostArgument> arguments;
  std::vector<KernelParameters> kernels;
  AddressRange allocations;  ///< for the function's own cudaMalloc
  GpuProfile gpu;            ///< what properties, attributes and occupancy queries answer
  std::uint32_t edit = 0;    ///< what kHostEditSwitch is set to; 0: it is left alone
};

struct RecordLimits {
  double wall_seconds = 5;
  double cpu_seconds = 5;
  double wall_seconds_with_edit = 0.5;  ///< at most: the change may make a loop endless
  std::uint64_t address_space_bytes = 4ull << 30;
  std::uint64_t output_bytes = 64 << 10;  ///< of what it prints; the rest is dropped
  std::uint64_t printed_bytes = 4 << 20;  ///< whoever prints more is ended
};

/// The host function returned, and this is what it asked for.
struct Recording {
  LaunchPlan plan;
  std::string output;  ///< what it printed, stdout and stderr merged
  /// How its process failed to end once the function had returned, in a sentence or two for the learner: a
  /// destructor that crashes takes nothing from the answer. Empty: it ended.
  std::string bad_end = {};
};

/// The host function did something that ends in a verdict: it crashed, hung, exited, forked, called something
/// that the recorder refuses. Two sentences for the learner: what, and what to do.
struct RecordFailure {
  FailureKind kind = FailureKind::garbled;
  std::string what;
  std::string hint;
  std::string output;
};
using RecordResult = std::variant<Recording, RecordFailure>;

/// Runs host functions in a confined process each (`program` is build/bin/recorder).
class Recorder {
 public:
  explicit Recorder(std::filesystem::path program, RecordLimits limits = {});
  /// A missing recorder program or a machine that cannot start processes is an error; whatever the learner's
  /// code does is not.
  Result<RecordResult> record(const RecordRequest& request) const;

 private:
  std::filesystem::path program_;
  RecordLimits limits_;
};

}  // namespace fusebox
