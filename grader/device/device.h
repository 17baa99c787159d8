#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/device/plan.h"
#include "grader/report/launch_record.h"
#include "grader/report/result.h"

namespace fusebox {

/// What ptxas says of one kernel for one architecture.
struct KernelResources {
  std::string kernel;  ///< mangled
  int registers = 0;   ///< per thread
  int static_shared_bytes = 0;
  int spill_bytes = 0;  ///< spill stores + spill loads
};

/// Device code of one compiled file, for either device.
struct ModuleImage {
  std::string ptx;                         ///< text; what the simulator runs
  std::vector<std::byte> cubin;            ///< machine code; what a GPU runs. May be empty
  std::vector<KernelResources> resources;  ///< per kernel
};

/// A named piece of device memory that exists before a plan starts: a tensor argument.
struct Buffer {
  std::string name;
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;
  std::vector<std::byte> contents;  ///< `bytes` long, or empty: undefined, so that reading it first is a
                                    ///< fault. What is shorter is repeated (simulator)
};

/// What one plan may cost, all its operations together. Instructions and bytes are counted and not seconds,
/// so that every machine stops at the same place; `seconds` is only a net below that.
struct PlanLimits {
  std::uint64_t work = 0;          ///< warp instructions, and what other operations cost in them; 0: no limit
  std::uint64_t memory_bytes = 0;  ///< of its own allocations, freed or not; 0: no limit
  double seconds = 0;              ///< 0: no limit
  /// By one block of a launch; more is that launch's fault "output-limit".
  std::uint64_t printed_bytes = ~std::uint64_t{0};
};

struct ExecuteOptions {
  PlanLimits plan;  ///< beyond one: a fault "work-limit", "memory-limit" or "time-limit" (simulator)
  std::uint64_t max_warp_instructions = 400'000'000;  ///< per launch; beyond it the launch is an endless loop
  bool races = true;                                  ///< look for data races (simulator)
  bool watch_nan = false;  ///< arithmetic that makes NaN of numbers is a fault "not-a-number" (simulator)
  bool counted = true;     ///< false: results, and the faults that the device itself meets (simulator)
  /// Seed of a shuffled but legal order of warps and blocks (simulator); none: in order. The same seed gives
  /// the same run.
  std::optional<std::uint64_t> schedule;
  bool cold_launches = false;  ///< the model's L2 is empty at each launch, not only at the plan's first one
  bool model = false;  ///< also run the cache and time model (simulator): LaunchRecord::model, ::samples
  /// Only counters and the model are wanted (simulator): no races, memory that nobody wrote reads as zeros
  /// and is no fault, and no outputs come back.
  bool numbers_only = false;
  /// With `numbers_only`: run one block in so many where that tells what all of them do; else all are run.
  unsigned share = 1;
  std::vector<std::string>
      intermediate_names;  ///< names for the plan's own allocations, in order; "buffer N" beyond
};

/// What became of a plan.
struct Run {
  std::vector<LaunchRecord> launches;
  std::vector<std::vector<std::byte>>
      outputs;                        ///< final contents of each buffer given to execute(), same order
  std::vector<std::uint8_t> written;  ///< per buffer: 1 when every byte of it is defined at the end, else 0
  std::vector<Fault>
      faults;  ///< of the plan itself (bad copy, double free, ...); those of launches are in `launches`
  std::uint64_t intermediate_bytes = 0;  ///< sum of the plan's own allocations
  std::string output;                    ///< what the kernels printed
  std::vector<LaunchModel> transfers;    ///< of its copies and memsets, in their order, where it was modelled
  std::uint64_t blocks_run = 0;          ///< of all launches
  std::uint64_t left_in_l2_bytes = 0;    ///< modelled: written, and in L2 alone at the end
};

/// Executes plans. Two implementations: the simulator and a GPU behind an executor process.
class Device {
 public:
  virtual ~Device() = default;
  /// Addresses that buffers and the plan's own allocations may use; 256-byte aligned, stable for the device's
  /// life.
  virtual AddressRange address_range() const = 0;
  /// Refusals (an unsupported instruction, a PTX version that is too new) are errors; faults of the kernels
  /// are in the Run.
  virtual Result<Run> execute(const LaunchPlan& plan, const ModuleImage& module,
                              std::span<const Buffer> buffers, const ExecuteOptions& options) = 0;
};

/// Gives each size an address in `range`, 256-byte aligned with wide gaps between, so that every buffer has
/// guard zones. Fewer addresses than sizes come back when the range is full.
std::vector<DeviceAddress> place_buffers(const AddressRange& range, std::span<const std::uint64_t> sizes);

/// What is left of `range` behind buffers placed by place_buffers: for the host function's own allocations.
AddressRange range_behind(const AddressRange& range, std::span<const DeviceAddress> addresses,
                          std::span<const std::uint64_t> sizes);

}  // namespace fusebox
