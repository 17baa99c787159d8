#include "grader/simulator/session.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <thread>

#include "grader/device/launch_limits.h"
#include "grader/simulator/exec/decode/unset_registers.h"
#include "grader/simulator/exec/instructions/lanes/lanes.h"
#include "grader/simulator/observe/fault_places.h"
#include "grader/simulator/observe/fault_text.h"
#include "grader/simulator/observe/model.h"
#include "grader/simulator/observe/samples.h"
#include "grader/simulator/ptx/link.h"
#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {
namespace {

// The end of the device's addresses belongs to the variables of modules and, behind them, to the heap.
constexpr std::uint64_t kVariableBytes = 4ull << 30;
// The last of it to what launches bring along.
constexpr std::uint64_t kWorkspaceRoom = 64 << 10;

std::uint64_t variable_bytes(const AddressRange& all) { return std::min(kVariableBytes, all.bytes / 4); }

AddressRange heap_range(const AddressRange& all) {
  const std::uint64_t bytes = variable_bytes(all) / 2;
  return {all.begin + all.bytes - bytes, bytes - std::min(2 * kWorkspaceRoom, bytes)};
}

constexpr int kNewestPtxMajor = 9;

// Its size, and the word that the blocks of grid.sync() count in.
constexpr std::uint32_t kWorkspaceBytes = 8;

/// Memory that the launch itself brings along, for as long as it runs.
class Workspace {
 public:
  Workspace(GlobalMemory& memory, bool wanted) : memory_(memory) {
    const AddressRange range = memory.range();
    const DeviceAddress address = range.begin + range.bytes - kWorkspaceRoom;
    if (!wanted || !memory.allocate("the grid's workspace", address, kWorkspaceBytes)) return;
    address_ = address;
    const std::uint32_t words[2] = {kWorkspaceBytes, 0};
    std::memcpy(GlobalMemory::data(address), words, sizeof words);
    memory.define(address, kWorkspaceBytes);
  }
  ~Workspace() {
    if (address_ != 0 && memory_.free(address_)) memory_.forget(address_);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  DeviceAddress address() const { return address_; }

 private:
  GlobalMemory& memory_;
  DeviceAddress address_ = 0;
};

/// What the headers of CUDA do knowingly, and no program could change. Cooperative groups have several lanes
/// write one value into the shared memory that the system reserves. Kernels of CUB and Thrust that merge read
/// one element behind their part of a tile, which they never use.
bool is_of_headers(const RawFault& fault, const Program& program) {
  if (fault.kind == FaultKind::uninitialised_read && fault.space == Space::shared)
    return fault.function->name.starts_with("_ZN3cub") || fault.function->name.starts_with("_ZN6thrust");
  return fault.kind == FaultKind::race_same_value && fault.space == Space::shared &&
         std::any_of(program.shared.begin(), program.shared.end(), [&](const SharedVariable& variable) {
           return variable.name == kReservedShared && fault.address - variable.offset < variable.bytes;
         });
}

/// Launches of few blocks are run whole beside samples of larger ones.
bool is_small(const Launch& launch) {
  constexpr std::uint64_t kFewBlocks = 32;
  return launch.info.grid.count() <= kFewBlocks;
}

std::array<std::uint32_t, 3> triple(const Dim3& dim) { return {dim.x, dim.y, dim.z}; }

}  // namespace

Result<std::unique_ptr<LoadedModule>> load_module(const std::string& ptx, DeviceAddress variable_base) {
  return load_module(std::vector{ptx}, variable_base);
}

Result<std::unique_ptr<LoadedModule>> load_module(const std::vector<std::string>& parts,
                                                  DeviceAddress variable_base) {
  if (auto missing = missing_lanes()) return *missing;
  std::vector<ptx::Module> modules;
  for (const std::string& part : parts) {
    Result<ptx::Module> parsed = ptx::parse(part);
    if (!parsed) return parsed.error();
    modules.push_back(std::move(*parsed));
  }
  ptx::Module linked = ptx::link(std::move(modules));
  if (linked.version_major > kNewestPtxMajor)
    return Error{ErrorKind::not_passed,
                 "the PTX is of version " + std::to_string(linked.version_major) + "." +
                     std::to_string(linked.version_minor) + ", newer than this simulator knows",
                 "compile with CUDA 13 or older"};
  return std::make_unique<LoadedModule>(std::move(linked), variable_base);
}

Session::Session(GpuProfile gpu, unsigned cores)
    : gpu_(std::move(gpu)),
      cores_(cores != 0 ? cores : std::clamp(std::thread::hardware_concurrency(), 1u, 64u)),
      memory_(GlobalMemory::kReserved, cores_),
      heap_(memory_, heap_range(memory_.range())),
      parallel_(std::make_unique<ParallelLauncher>(memory_, cores_)) {}
Session::~Session() = default;

AddressRange Session::buffers() const {
  AddressRange range = memory_.range();
  return {range.begin, range.bytes - variable_bytes(range)};
}

void Session::restart(unsigned share) {
  memory_.clear();
  heap_.restart();
  traffic_.clear();
  unset_reads_.clear();
  launches_ = 0;
  if (caches_ ? caches_->share() != share : share != 1) caches_ = std::make_unique<Caches>(gpu_, share);
  if (caches_) caches_->flush();  // a plan meets an L2 that holds nothing of it
}

void Session::forget_code() {
  traffic_.clear();
  unset_reads_.clear();
  parallel_->forget_code();
}

Result<bool> Session::place(const std::string& name, DeviceAddress address, std::uint64_t bytes,
                            const std::vector<std::byte>& contents) {
  if (auto placed = memory_.allocate(name, address, bytes, !contents.empty()); !placed) return placed.error();
  if (contents.empty())
    std::memset(GlobalMemory::data(address), GlobalMemory::kUndefinedByte, bytes);
  else
    for (std::uint64_t at = 0; at < bytes; at += contents.size())
      std::memcpy(GlobalMemory::data(address) + at, contents.data(),
                  std::min<std::uint64_t>(contents.size(), bytes - at));
  return true;
}

Result<bool> Session::place_zeros(const std::string& name, DeviceAddress address, std::uint64_t bytes) {
  if (auto placed = memory_.allocate(name, address, bytes, true); !placed) return placed.error();
  memory_.zero(address, bytes);
  return true;
}

LaunchModel Session::model_copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  if (!caches_) caches_ = std::make_unique<Caches>(gpu_);
  return fusebox::sim::model_copy(gpu_, caches_->copy(to, from, bytes));
}

void Session::fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes) {
  memory_.fill(to, value, bytes);
  memory_.define(to, bytes);
}

void Session::write(DeviceAddress to, const void* from, std::uint64_t bytes) {
  if (bytes == 0) return;
  std::memmove(GlobalMemory::data(to), from, bytes);
  memory_.define(to, bytes);
}

void Session::copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  if (bytes == 0) return;
  std::memmove(GlobalMemory::data(to), GlobalMemory::data(from), bytes);
  std::memmove(memory_.shadow(to), memory_.shadow(from), bytes);
}

std::string Session::refusal(const LaunchOp& op, const Program& program,
                             const KernelResources* resources) const {
  const ptx::Function& function = *program.function;
  KernelParameters kernel;
  kernel.registers = resources != nullptr ? resources->registers : 0;
  kernel.static_shared_bytes = static_cast<int>(program.static_shared_bytes);
  kernel.max_threads = static_cast<int>(function.max_threads);
  // What the host asked for in advance is no part of a plan: here it may have asked for all that there is.
  LaunchShape shape{op.grid, op.block, op.dynamic_shared_bytes};
  const std::uint64_t most = static_cast<std::uint64_t>(gpu_.max_shared_bytes_per_block_optin);
  shape.dynamic_shared_allowed = most - std::min<std::uint64_t>(most, program.static_shared_bytes);
  shape.cooperative = op.cooperative;
  shape.cluster = op.cluster;
  if (const auto& own = function.cluster; own[0] != 0) shape.cluster = {own[0], own[1], own[2]};
  shape.large_clusters = true;
  if (auto refused = check_launch(gpu_, kernel, shape)) return std::move(refused->reason);
  if (op.arguments.size() < function.parameter_bytes)
    return "fewer argument bytes than the kernel's parameters";
  return "";
}

LaunchOutcome Session::launch(const LoadedModule& module, const Program& program, const LaunchOp& op,
                              const LaunchSettings& settings) {
  LaunchOutcome outcome;
  LaunchRecord& record = outcome.record;
  record.kernel = program.function->demangled;
  record.grid = triple(op.grid);
  record.block = triple(op.block);
  record.static_shared_bytes = program.static_shared_bytes;
  record.dynamic_shared_bytes = op.dynamic_shared_bytes;
  if (settings.resources != nullptr) {
    record.registers = settings.resources->registers;
    record.spill_bytes = settings.resources->spill_bytes;
  }
  record.time = {"time",        "time",       "modelled duration of the launch",
                 Unit::seconds, std::nullopt, Source::modelled};

  Launch launch;
  launch.module = &module;
  launch.program = &program;
  launch.info = {program.function, op.grid, op.block, program.static_shared_bytes + op.dynamic_shared_bytes};
  launch.info.cluster = op.cluster;
  if (const auto& own = program.function->cluster; own[0] != 0)
    launch.info.cluster = {own[0], own[1], own[2]};
  launch.memory = &memory_;
  launch.dynamic_shared_bytes = op.dynamic_shared_bytes;
  launch.cooperative = op.cooperative;
  launch.schedule = settings.schedule;
  launch.stop = settings.stop;
  launch.max_printed_bytes = settings.max_printed_bytes;
  launch.sms = static_cast<std::uint32_t>(std::max(gpu_.sms, 1));
  launch.grid_id = ++launches_;
  launch.arguments = op.arguments;
  FaultLog faults;
  launch.faults = &faults;
  launch.output = &outcome.output;
  if (std::string reason = refusal(op, program, settings.resources); !reason.empty()) {
    RawFault fault;
    fault.kind = FaultKind::bad_launch;
    fault.function = program.function;
    fault.note = reason;
    faults.add(fault);
  } else {
    Traffic& traffic = traffic_.try_emplace(&module, module.module().files).first->second;
    heap_.begin_launch(module.uses_heap());
    launch.heap = &heap_;
    launch.textures = &textures_;
    const LaunchLimits limits{settings.max_warp_instructions};
    const std::vector<NamedRange> ranges = live_ranges();
    traffic.set_ranges(ranges);
    // No tensor of anybody's. Hardware has one for every launch: in one that is not cooperative, blocks may
    // only happen to be there.
    const Workspace workspace(memory_, op.cooperative || module.uses_grid_workspace());
    launch.grid_workspace = workspace.address();
    if (settings.model && !caches_) caches_ = std::make_unique<Caches>(gpu_);
    Caches* caches = settings.model ? caches_.get() : nullptr;
    if (caches != nullptr && settings.cold) caches->flush();
    std::optional<Samples> samples;
    if (settings.samples) samples.emplace(module.module().files, ranges);
    Samples* sampled = samples ? &*samples : nullptr;
    outcome.blocks_run = op.grid.count();
    std::optional<SampledLaunch> all;
    if (settings.share > 1 && !is_small(launch)) {
      all = sample(launch, limits, settings, ranges, *caches);
      outcome.not_alike = !all;
      outcome.ending = all ? Ending::complete : Ending::stopped;
    } else {
      outcome.in_parallel =
          settings.watcher == nullptr && parallel_->run(launch, limits, ranges, settings.races,
                                                        !settings.numbers_only, traffic, caches, sampled);
      outcome.ending = outcome.in_parallel ? Ending::complete
                                           : run_in_order(launch, limits, settings, traffic, caches, sampled);
    }
    outcome.work = launch.work;
    if (all) {
      record.counters = all->numbers.counters;
      record.issue_slots = all->numbers.issue_slots;
      record.tensors = std::move(all->numbers.tensors);
      record.lines = std::move(all->numbers.lines);
      outcome.blocks_run = all->blocks_run;
    } else if (!outcome.not_alike) {
      traffic.fill(record);
    }
    if (const auto at = unset_read(*program.function, traffic)) {
      RawFault fault;
      fault.kind = FaultKind::unset_register;
      fault.function = program.function;
      fault.instruction = *at;
      faults.add(fault);
    }
    if (samples) record.samples = samples->take();
    if (settings.model && outcome.ending == Ending::complete) {
      record.model = model_launch(gpu_, record, all ? all->traffic : caches_->traffic());
      record.time.value = record.model->seconds;
    }
  }
  outcome.faults = faults.faults();
  std::erase_if(outcome.faults, [&](const RawFault& fault) { return is_of_headers(fault, program); });
  put_races_first(outcome.faults);
  describe_faults(module, launch, record, outcome.faults);
  return outcome;
}

std::optional<std::uint32_t> Session::unset_read(const ptx::Function& function, const Traffic& traffic) {
  const auto [known, fresh] = unset_reads_.try_emplace(&function);
  if (fresh) known->second = reads_of_unset_registers(function);
  for (const std::uint32_t at : known->second)
    if (function.instructions[at].location.line > 0 && traffic.was_executed(function, at)) return at;
  return std::nullopt;
}

std::optional<SampledLaunch> Session::sample(Launch& launch, const LaunchLimits& limits,
                                             const LaunchSettings& settings,
                                             const std::vector<NamedRange>& ranges, Caches& caches) {
  if (launch.cooperative || launch.schedule || launch.info.cluster.count() > 1 ||
      !blocks_look_independent(*launch.module, *launch.program))
    return std::nullopt;
  std::uint64_t work = 0;
  const auto run = [&](std::uint64_t first, std::uint64_t count, Traffic& traffic, Caches* through) {
    launch.first_block = first;
    launch.block_count = count;
    const bool done = parallel_->run(launch, limits, ranges, false, false, traffic, through, nullptr) ||
                      run_in_order(launch, limits, settings, traffic, through, nullptr) == Ending::complete;
    work += launch.work;
    return done && launch.faults->faults().empty();
  };
  auto all = run_sampled(launch.info, settings.share, launch.module->module().files, ranges, caches, run);
  launch.work = work;
  return all;
}

Ending Session::run_in_order(Launch& launch, const LaunchLimits& limits, const LaunchSettings& settings,
                             Traffic& traffic, Caches* caches, Samples* samples) {
  std::vector<Observer*> observers{&traffic};
  if (settings.watcher != nullptr) observers.push_back(settings.watcher);
  if (samples != nullptr) observers.push_back(samples);
  if (settings.races) {
    if (!races_) races_ = std::make_unique<Races>(memory_.range());
    races_->set_log(launch.faults);
    observers.push_back(races_.get());
  }
  std::optional<CacheTap> tap;
  if (caches != nullptr) {
    caches->begin_launch(launch.info);
    observers.push_back(&tap.emplace(*caches));
  }
  launch.observers = observers;
  return execute(launch, limits);
}

std::vector<NamedRange> Session::live_ranges() const {
  std::vector<NamedRange> ranges;
  for (const Allocation& a : memory_.allocations())
    if (!a.freed) ranges.push_back({a.name, a.address, a.bytes, a.own});
  return ranges;
}

void Session::describe_faults(const LoadedModule& module, const Launch& launch, LaunchRecord& record,
                              const std::vector<RawFault>& faults) const {
  if (faults.empty()) return;
  std::vector<NamedRange> live = live_ranges(), freed, shared;
  for (const Allocation& a : memory_.allocations())
    if (a.freed) freed.push_back({a.name, a.address, a.bytes});
  for (const SharedVariable& v : launch.program->shared) shared.push_back({v.name, v.offset, v.bytes});
  if (launch.dynamic_shared_bytes > 0)
    shared.push_back(
        {"dynamic shared memory", launch.program->dynamic_shared_offset, launch.dynamic_shared_bytes});
  FaultContext context{&launch.info, module.module().files, live,           freed,
                       shared,       launch.arguments,      memory_.range()};
  // Copies of one line in an unrolled loop reach further together than each alone.
  std::vector<RawFault> told = faults;
  for (RawFault& fault : told)
    for (const RawFault& other : faults)
      if (fault.kind == FaultKind::out_of_bounds && other.kind == fault.kind && other.space == fault.space &&
          nearest_to(other.address, other.address + 1, live) ==
              nearest_to(fault.address, fault.address + 1, live))
        fault.reach = std::max(fault.reach, other.reach);
  for (const RawFault& fault : told) record.faults.push_back(describe(fault, context));
}

}  // namespace fusebox::sim
