#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/device/device.h"
#include "grader/device/gpu_profile.h"
#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/execution/execute.h"
#include "grader/simulator/exec/memory/device_heap.h"
#include "grader/simulator/launch/parallel_launcher.h"
#include "grader/simulator/launch/sampled_launch.h"
#include "grader/simulator/observe/modelled/caches.h"
#include "grader/simulator/observe/races/races.h"
#include "grader/simulator/observe/races/unfenced_writes.h"
#include "grader/simulator/observe/traffic/samples.h"
#include "grader/simulator/observe/traffic/traffic.h"

namespace fusebox::sim {

/// Parses and decodes PTX; its variables will lie from `variable_base` on. PTX that does not read, and a
/// version that is too new, are errors; an instruction that is not supported is refused when a kernel that
/// needs it is asked for.
Result<std::unique_ptr<LoadedModule>> load_module(const std::string& ptx, DeviceAddress variable_base,
                                                  bool watch_nan = false);
/// The same of what was compiled apart and is linked here; at least one part.
Result<std::unique_ptr<LoadedModule>> load_module(const std::vector<std::string>& parts,
                                                  DeviceAddress variable_base, bool watch_nan = false);

/// What a launch asks for beyond its LaunchOp.
struct LaunchSettings {
  const KernelResources* resources = nullptr;  ///< what ptxas says of the kernel; null: unknown
  std::uint64_t max_warp_instructions = 400'000'000;
  std::uint64_t max_printed_bytes = ~std::uint64_t{0};  ///< bytes that one block may print; more is a fault
  const std::atomic<bool>* stop = nullptr;              ///< set from outside: no time is left
  std::atomic<std::uint64_t>* blocks_done = nullptr;    ///< counted up as blocks end; may be null
  bool counted = true;        ///< false: the results alone, and the faults that the device itself meets
  bool races = true;          ///< look for data races
  unsigned share = 1;         ///< run one block in so many where that tells what all do, see sampled_launch.h
  bool numbers_only = false;  ///< what the launch stores need not be taken back if it is run again
  std::optional<std::uint64_t> schedule;  ///< seed of a shuffled order of warps and blocks; none: in order
  bool samples = false;                   ///< keep sample accesses: LaunchRecord::samples
  bool cold = false;                      ///< empty the model's L2 first
  bool model = true;                      ///< run the cache model, and say how long the launch would take
  Observer* watcher = nullptr;            ///< told of everything too; may be null
};

/// A launch that has been carried out, or refused with the fault "bad-launch".
struct LaunchOutcome {
  LaunchRecord record;
  std::vector<RawFault> faults;  ///< the facts behind record.faults, same order
  std::string output;            ///< what the kernel printed
  Ending ending = Ending::stopped;
  std::uint64_t work = 0;  ///< what it cost, in warp instructions
  std::uint64_t blocks_run = 0;
  bool not_alike = false;    ///< one part in `share` was wanted, and does not tell what all do
  bool in_parallel = false;  ///< its blocks ran on several cores at once, which nothing else can tell
};

/// The simulated device, one operation at a time: memory and launches, carried out at once and in the order
/// of the calls. Plans (Simulator) and whole programs (runtime/) are both driven through it.
class Session {
 public:
  /// `cores`: threads that a launch may use; 0: as many as this process may run at once. No result and no
  /// counter depends on it, nor what the modelled caches keep, up to blocks of 50 million warp instructions.
  explicit Session(GpuProfile gpu, unsigned cores = 0);
  ~Session();

  const GpuProfile& gpu() const { return gpu_; }
  unsigned cores() const { return cores_; }
  GlobalMemory& memory() { return memory_; }
  const GlobalMemory& memory() const { return memory_; }
  /// Addresses for buffers; those behind them are for the variables of modules.
  AddressRange buffers() const;
  /// Textures and surfaces, by the numbers that device code knows them by.
  Textures& textures() { return textures_; }
  /// What device code's `malloc` takes from.
  DeviceHeap& heap() { return heap_; }
  DeviceAddress variables() const { return buffers().begin + buffers().bytes; }

  /// Forgets all buffers and counts grids anew, so that a plan repeats.
  /// `share`: model one part in so many of the GPU.
  void restart(unsigned share = 1);

  /// Makes a live buffer that holds `contents`, again and again where they are shorter, or is undefined when
  /// there are none.
  Result<bool> place(const std::string& name, DeviceAddress address, std::uint64_t bytes,
                     const std::vector<std::byte>& contents = {});
  /// A live buffer of zeros, whose pages cost nothing until they are touched.
  Result<bool> place_zeros(const std::string& name, DeviceAddress address, std::uint64_t bytes);
  /// What a copy moves on its way through the modelled L2, past every L1. The host's end is address 0, and so
  /// is the source of a memset.
  LaunchModel model_copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes);
  /// The same where nobody asks what came of it: by the next launch that is counted. While launches are
  /// carried out without being counted, of copies of the same bytes the last one stands for all: it is what
  /// they leave.
  void model_copy_later(DeviceAddress to, DeviceAddress from, std::uint64_t bytes);
  /// Bytes that were written and are in the modelled L2 alone.
  std::uint64_t left_in_l2_bytes() const { return caches_ ? caches_->share() * caches_->dirty_bytes() : 0; }
  /// Bytes of live buffers; the caller has checked that they are live.
  void fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes);
  void write(DeviceAddress to, const void* from, std::uint64_t bytes);
  /// Undefined bytes stay undefined. The ranges may overlap.
  void copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes);

  /// To be called before a module that was launched goes away: what is known by its address is forgotten.
  void forget_code();

  /// Live buffers, in order of address.
  std::vector<NamedRange> live_ranges() const;

  /// The module's kernel exists and is supported, its variables are placed.
  LaunchOutcome launch(const LoadedModule& module, const Program& program, const LaunchOp& op,
                       const LaunchSettings& settings);

 private:
  Launch launch_of(const LoadedModule& module, const Program& program, const LaunchOp& op,
                   const LaunchSettings& settings);
  /// A launch that is not refused, all of it or a sample, and what it did.
  void carry_out(Launch& launch, const LaunchSettings& settings, LaunchOutcome& outcome);
  void carry_out_uncounted(Launch& launch, const LaunchSettings& settings, LaunchOutcome& outcome);
  /// The first instruction of a launch that computed with what nothing ever sets is a fault, see
  /// exec/decode/unset_registers.h.
  void find_unset_read(const Launch& launch, const Traffic& traffic);
  Ending run_in_order(Launch& launch, const LaunchLimits& limits, const LaunchSettings& settings,
                      const LaunchObservers& counted);
  std::string refusal(const LaunchOp& op, const Program& program, const KernelResources* resources) const;
  /// Some of the blocks only, see sampled_launch.h.
  std::optional<SampledLaunch> sample(Launch& launch, const LaunchLimits& limits,
                                      const LaunchSettings& settings, const std::vector<NamedRange>& ranges,
                                      Caches& caches);
  void describe_faults(const LoadedModule& module, const Launch& launch, LaunchRecord& record,
                       const std::vector<RawFault>& faults) const;

  void model_late_copies();

  struct Copy {
    DeviceAddress to = 0, from = 0;
    std::uint64_t bytes = 0;
    bool operator==(const Copy&) const = default;
  };

  GpuProfile gpu_;
  unsigned cores_;
  GlobalMemory memory_;
  DeviceHeap heap_;
  Textures textures_;
  std::map<const LoadedModule*, Traffic> traffic_;
  std::map<const ptx::Function*, std::vector<std::uint32_t>> unset_reads_;
  std::unique_ptr<ParallelLauncher> parallel_;
  std::unique_ptr<Races> races_;  ///< made when a launch is first watched
  UnfencedWrites unfenced_writes_;
  std::unique_ptr<Caches> caches_;  ///< made when a launch is first modelled
  std::vector<Copy> late_copies_;
  bool uncounted_ = false;  ///< the last launch was
  std::uint64_t launches_ = 0;
};

}  // namespace fusebox::sim
