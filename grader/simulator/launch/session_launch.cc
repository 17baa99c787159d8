#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/device/launch_limits.h"
#include "grader/report/text/format.h"
#include "grader/simulator/exec/decode/unset_registers.h"
#include "grader/simulator/launch/grid_workspace.h"
#include "grader/simulator/launch/session.h"
#include "grader/simulator/observe/faults/fault_places.h"
#include "grader/simulator/observe/faults/fault_text.h"
#include "grader/simulator/observe/modelled/model.h"
#include "grader/simulator/observe/traffic/samples.h"

// One launch of a session: whether it is refused, how it is carried out, and what is told of it.

namespace fusebox::sim {
namespace {

/// In the namespace that each version of CUB and Thrust has to itself, "cub::CUB_300001_SM_800". Of `cub`
/// alone a program may have its own.
bool is_of_version(std::string_view mangled, std::string_view library, std::string_view version) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!mangled.starts_with(library)) return false;
  mangled.remove_prefix(library.size());
  while (!mangled.empty() && is_digit(mangled.front())) mangled.remove_prefix(1);
  return mangled.starts_with(version) && mangled.size() > version.size() && is_digit(mangled[version.size()]);
}

/// What the headers of CUDA do knowingly, and no program could change. Cooperative groups have several lanes
/// write one value into the shared memory that the system reserves. Kernels of CUB and Thrust that merge read
/// one element behind their part of a tile, which they never use.
bool is_of_headers(const RawFault& fault, const Program& program) {
  if (fault.kind == FaultKind::uninitialised_read && fault.space == Space::shared)
    return is_of_version(fault.function->name, "_ZN3cub", "CUB_") ||
           is_of_version(fault.function->name, "_ZN6thrust", "THRUST_");
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

/// What is known of a launch before it is carried out; `resources` may be null.
LaunchRecord record_of(const Program& program, const LaunchOp& op, const KernelResources* resources) {
  LaunchRecord record;
  record.kernel = program.function->demangled;
  record.grid = triple(op.grid);
  record.block = triple(op.block);
  record.static_shared_bytes = program.static_shared_bytes;
  record.dynamic_shared_bytes = op.dynamic_shared_bytes;
  if (resources != nullptr) {
    record.registers = resources->registers;
    record.spill_bytes = resources->spill_bytes;
  }
  record.time = {"time",        "time",       "modelled duration of the launch",
                 Unit::seconds, std::nullopt, Source::modelled};
  return record;
}

/// Whether a kernel would ever end nobody knows: that it was stopped, and when, is what can be said.
void say_when_stopped(const LaunchSettings& settings, std::vector<RawFault>& faults) {
  for (RawFault& fault : faults)
    if (fault.kind == FaultKind::endless_loop)
      fault.note = "it was stopped when it had cost as much as " +
                   format_count(settings.max_warp_instructions) + " warp instructions";
}

/// What was counted in some of the blocks for all of them.
void take_numbers(LaunchRecord& record, LaunchRecord numbers) {
  record.counters = numbers.counters;
  record.issue_slots = numbers.issue_slots;
  record.unit_cycles = numbers.unit_cycles;
  record.data_stage_cycles = numbers.data_stage_cycles;
  record.tensor_cycles = numbers.tensor_cycles;
  record.tensors = std::move(numbers.tensors);
  record.lines = std::move(numbers.lines);
}

}  // namespace

LaunchOutcome Session::launch(const LoadedModule& module, const Program& program, const LaunchOp& op,
                              const LaunchSettings& settings) {
  LaunchOutcome outcome;
  outcome.record = record_of(program, op, settings.resources);
  Launch launch = launch_of(module, program, op, settings);
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
    carry_out(launch, settings, outcome);
  }
  outcome.faults = faults.faults();
  std::erase_if(outcome.faults, [&](const RawFault& fault) { return is_of_headers(fault, program); });
  put_races_first(outcome.faults);
  say_when_stopped(settings, outcome.faults);
  describe_faults(module, launch, outcome.record, outcome.faults);
  return outcome;
}

Launch Session::launch_of(const LoadedModule& module, const Program& program, const LaunchOp& op,
                          const LaunchSettings& settings) {
  Launch launch;
  launch.module = &module;
  launch.program = &program;
  launch.info = {program.function, op.grid, op.block, program.static_shared_bytes + op.dynamic_shared_bytes};
  launch.info.cluster = op.cluster;
  if (settings.resources != nullptr) launch.info.registers = settings.resources->registers;
  if (const auto& own = program.function->cluster; own[0] != 0)
    launch.info.cluster = {own[0], own[1], own[2]};
  launch.memory = &memory_;
  launch.dynamic_shared_bytes = op.dynamic_shared_bytes;
  launch.cooperative = op.cooperative;
  launch.schedule = settings.schedule;
  launch.stop = settings.stop;
  launch.blocks_done = settings.blocks_done;
  launch.max_printed_bytes = settings.max_printed_bytes;
  launch.sms = static_cast<std::uint32_t>(std::max(gpu_.sms, 1));
  launch.grid_id = ++launches_;
  launch.arguments = op.arguments;
  return launch;
}

void Session::carry_out_uncounted(Launch& launch, const LaunchSettings& settings, LaunchOutcome& outcome) {
  const GridWorkspace workspace(memory_, launch.cooperative || launch.module->uses_grid_workspace());
  launch.grid_workspace = workspace.address();
  outcome.blocks_run = launch.info.grid.count();
  uncounted_ = true;
  const LaunchLimits limits{settings.max_warp_instructions};
  // Blocks on several cores are watched by what they touch, and by nothing else.
  Traffic& traffic = traffic_.try_emplace(launch.module, launch.module->module()).first->second;
  const std::vector<NamedRange> ranges = live_ranges();
  traffic.set_ranges(ranges);
  outcome.in_parallel = parallel_->run(launch, limits, ranges, {traffic}, false, true);
  if (!outcome.in_parallel && launch.blocks_done != nullptr) *launch.blocks_done = 0;
  outcome.ending = outcome.in_parallel ? Ending::complete : execute(launch, limits);
  outcome.work = launch.work;
}

void Session::carry_out(Launch& launch, const LaunchSettings& settings, LaunchOutcome& outcome) {
  const LoadedModule& module = *launch.module;
  heap_.begin_launch(module.uses_heap());
  launch.heap = &heap_;
  launch.textures = &textures_;
  if (!settings.counted) {
    carry_out_uncounted(launch, settings, outcome);
    return;
  }
  uncounted_ = false;
  model_late_copies();
  Traffic& traffic = traffic_.try_emplace(&module, module.module()).first->second;
  const LaunchLimits limits{settings.max_warp_instructions};
  const std::vector<NamedRange> ranges = live_ranges();
  traffic.set_ranges(ranges);
  // Not one of the program's buffers. Hardware gives every launch one, but without a cooperative launch
  // blocks are only resident together by chance.
  const GridWorkspace workspace(memory_, launch.cooperative || module.uses_grid_workspace());
  launch.grid_workspace = workspace.address();
  if (settings.model && !caches_) caches_ = std::make_unique<Caches>(gpu_);
  Caches* caches = settings.model ? caches_.get() : nullptr;
  if (caches != nullptr && settings.cold) caches->flush();
  std::optional<Samples> samples;
  if (settings.samples) samples.emplace(module.module().files, ranges);
  const LaunchObservers observers{traffic, caches, samples ? &*samples : nullptr};

  outcome.blocks_run = launch.info.grid.count();
  std::optional<SampledLaunch> all;
  if (settings.share > 1 && caches != nullptr && !is_small(launch)) {
    all = sample(launch, limits, settings, ranges, *caches);
    outcome.not_alike = !all;
    outcome.ending = all ? Ending::complete : Ending::stopped;
  } else {
    outcome.in_parallel =
        settings.watcher == nullptr &&
        parallel_->run(launch, limits, ranges, observers, settings.races, !settings.numbers_only);
    if (!outcome.in_parallel && launch.blocks_done != nullptr) *launch.blocks_done = 0;
    outcome.ending =
        outcome.in_parallel ? Ending::complete : run_in_order(launch, limits, settings, observers);
  }
  outcome.work = launch.work;

  LaunchRecord& record = outcome.record;
  if (all) {
    outcome.blocks_run = all->blocks_run;
    take_numbers(record, std::move(all->numbers));
  } else if (!outcome.not_alike) {
    traffic.fill(record);
  }
  find_unset_read(launch, traffic);
  if (samples) record.samples = samples->take();
  if (settings.model && outcome.ending == Ending::complete) {
    record.model = model_launch(gpu_, record, all ? all->traffic : caches_->traffic());
    record.time.value = record.model->seconds;
  }
}

std::string Session::refusal(const LaunchOp& op, const Program& program,
                             const KernelResources* resources) const {
  const ptx::Function& function = *program.function;
  KernelParameters kernel;
  kernel.registers = resources != nullptr ? resources->registers : 0;
  kernel.static_shared_bytes = static_cast<int>(program.static_shared_bytes);
  kernel.max_threads = static_cast<int>(function.max_threads);
  // A plan does not record cudaFuncSetAttribute: assume that the host has asked for the maximum.
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

void Session::find_unset_read(const Launch& launch, const Traffic& traffic) {
  const ptx::Function& function = *launch.program->function;
  const auto [known, fresh] = unset_reads_.try_emplace(&function);
  if (fresh) known->second = reads_of_unset_registers(function);
  for (const std::uint32_t at : known->second) {
    if (function.instructions[at].location.line <= 0 || !traffic.was_executed(function, at)) continue;
    RawFault fault;
    fault.kind = FaultKind::unset_register;
    fault.function = &function;
    fault.instruction = at;
    launch.faults->add(fault);
    return;
  }
}

std::optional<SampledLaunch> Session::sample(Launch& launch, const LaunchLimits& limits,
                                             const LaunchSettings& settings,
                                             const std::vector<NamedRange>& ranges, Caches& caches) {
  if (launch.cooperative || launch.schedule || launch.info.cluster.count() > 1 ||
      ties_of_blocks(*launch.module, *launch.program) != BlockTies::none)
    return std::nullopt;
  std::uint64_t work = 0;
  const auto run = [&](std::uint64_t first, std::uint64_t count, Traffic& traffic, Caches* through) {
    launch.first_block = first;
    launch.block_count = count;
    const LaunchObservers observers{traffic, through};
    const bool done = parallel_->run(launch, limits, ranges, observers, false, false) ||
                      run_in_order(launch, limits, settings, observers) == Ending::complete;
    work += launch.work;
    return done && launch.faults->faults().empty();
  };
  auto all = run_sampled(launch.info, settings.share, launch.module->module(), ranges, caches, run);
  launch.work = work;
  return all;
}

Ending Session::run_in_order(Launch& launch, const LaunchLimits& limits, const LaunchSettings& settings,
                             const LaunchObservers& counted) {
  std::vector<Observer*> observers{&counted.traffic};
  if (settings.watcher != nullptr) observers.push_back(settings.watcher);
  if (counted.samples != nullptr) observers.push_back(counted.samples);
  if (settings.races) {
    if (!races_) races_ = std::make_unique<Races>(memory_.range());
    races_->set_log(launch.faults);
    observers.push_back(races_.get());
    unfenced_writes_.set_log(launch.faults);
    if (reads_asynchronously(*launch.program)) observers.push_back(&unfenced_writes_);
  }
  std::optional<CacheTap> tap;
  if (counted.caches != nullptr) {
    counted.caches->begin_launch(launch.info);
    observers.push_back(&tap.emplace(*counted.caches));
  }
  launch.observers = observers;
  return execute(launch, limits);
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
