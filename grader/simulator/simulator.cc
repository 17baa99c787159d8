#include "grader/simulator/simulator.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "grader/simulator/exec/execute.h"
#include "grader/simulator/observe/fault_text.h"
#include "grader/simulator/observe/traffic.h"
#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {
namespace {

// The end of the device's addresses belongs to the variables of modules.
constexpr std::uint64_t kVariableBytes = 1ull << 30;

constexpr int kNewestPtxMajor = 9;

std::array<std::uint32_t, 3> triple(const Dim3& dim) { return {dim.x, dim.y, dim.z}; }

}  // namespace

struct Simulator::State {
  GpuProfile gpu;
  GlobalMemory memory;
  std::map<std::string, std::unique_ptr<LoadedModule>> modules;  ///< by PTX text

  AddressRange buffers() const {
    AddressRange range = memory.range();
    return {range.begin, range.bytes - std::min(kVariableBytes, range.bytes / 4)};
  }
  Result<const LoadedModule*> load(const std::string& ptx);
};

Result<const LoadedModule*> Simulator::State::load(const std::string& ptx) {
  if (auto known = modules.find(ptx); known != modules.end()) return known->second.get();
  Result<ptx::Module> parsed = ptx::parse(ptx);
  if (!parsed) return parsed.error();
  if (parsed->version_major > kNewestPtxMajor)
    return Error{ErrorKind::not_passed,
                 "the PTX is of version " + std::to_string(parsed->version_major) + "." +
                     std::to_string(parsed->version_minor) + ", newer than this simulator knows",
                 "compile with CUDA 13 or older"};
  if (modules.size() >= 16) modules.clear();
  AddressRange range = buffers();
  auto loaded = std::make_unique<LoadedModule>(std::move(*parsed), range.begin + range.bytes);
  return (modules[ptx] = std::move(loaded)).get();
}

namespace {

/// Carries one plan out, op by op.
class PlanRunner {
 public:
  PlanRunner(GlobalMemory& memory, const GpuProfile& gpu, const LoadedModule& module,
             const ModuleImage& image, const ExecuteOptions& options)
      : memory_(memory),
        gpu_(gpu),
        module_(module),
        image_(image),
        options_(options),
        traffic_(module.module().files) {}

  Result<Run> run(const LaunchPlan& plan, std::span<const Buffer> buffers) {
    for (const PlanOp& op : plan.ops)
      if (const auto* launch = std::get_if<LaunchOp>(&op))
        if (auto program = module_.program(launch->kernel); !program) return program.error();
    memory_.clear();
    if (auto placed = module_.place_variables(memory_); !placed) return placed.error();
    for (const Buffer& buffer : buffers)
      if (auto placed = place(buffer); !placed) return placed.error();
    for (const PlanOp& op : plan.ops) {
      Result<bool> done = std::visit([&](const auto& o) { return carry_out(o); }, op);
      if (!done) return done.error();
      if (!*done) break;
    }
    collect(buffers);
    return std::move(run_);
  }

 private:
  Result<bool> place(const Buffer& buffer) {
    if (auto placed = memory_.allocate(buffer.name, buffer.address, buffer.bytes); !placed)
      return placed.error();
    if (buffer.contents.empty()) {
      std::memset(GlobalMemory::data(buffer.address), 0xff,
                  buffer.bytes);  // NaN in every floating-point format
    } else {
      std::memcpy(GlobalMemory::data(buffer.address), buffer.contents.data(),
                  std::min<std::size_t>(buffer.contents.size(), buffer.bytes));
      memory_.define(buffer.address, buffer.bytes);
    }
    return true;
  }

  void plan_fault(std::string kind, std::string what, std::string hint) {
    Fault fault;
    fault.kind = std::move(kind);
    fault.what = std::move(what);
    fault.hint = std::move(hint);
    run_.faults.push_back(std::move(fault));
  }

  Result<bool> carry_out(const AllocOp& op) {
    std::size_t index = allocations_++;
    std::string name = index < options_.intermediate_names.size() ? options_.intermediate_names[index]
                                                                  : "buffer " + std::to_string(index + 1);
    run_.intermediate_bytes += op.bytes;
    return place({name, op.address, op.bytes, {}});
  }

  Result<bool> carry_out(const FreeOp& op) {
    if (!memory_.free(op.address))
      plan_fault("bad-free", "cudaFree of memory that is not allocated", "free each allocation once");
    return true;
  }

  Result<bool> carry_out(const MemsetOp& op) {
    if (!memory_.live(op.address, op.bytes)) {
      plan_fault("out-of-bounds", "cudaMemset outside any buffer", "check its address and size in bytes");
      return true;
    }
    std::memset(GlobalMemory::data(op.address), op.value, op.bytes);
    memory_.define(op.address, op.bytes);
    return true;
  }

  Result<bool> carry_out(const CopyOp& op) {
    DeviceAddress to = op.to;
    if (!op.symbol.empty()) {
      const ptx::Variable* variable = module_.find_variable(op.symbol);
      if (variable == nullptr) {
        plan_fault("bad-copy", "cudaMemcpyToSymbol to `" + op.symbol + "`, which device code does not use",
                   "copy to a symbol that a kernel reads");
        return true;
      }
      to += module_.address_of(*variable);
    }
    bool from_device = op.host_bytes.empty();
    if (!memory_.live(to, op.bytes) || (from_device && !memory_.live(op.from, op.bytes))) {
      plan_fault("out-of-bounds", "a copy of " + std::to_string(op.bytes) + " bytes leaves its buffer",
                 "check its addresses and its size in bytes");
      return true;
    }
    if (op.bytes == 0) return true;
    if (from_device && !memory_.defined(op.from, op.bytes))
      plan_fault("uninitialised-read", "a copy reads memory that nothing has written",
                 "launch what writes it first");
    const void* from =
        from_device ? static_cast<const void*>(GlobalMemory::data(op.from)) : op.host_bytes.data();
    std::memmove(GlobalMemory::data(to), from, op.bytes);
    memory_.define(to, op.bytes);
    return true;
  }

  std::string refusal(const LaunchOp& op, const Program& program) const {
    std::uint64_t threads = op.block.count(),
                  shared = std::uint64_t{program.static_shared_bytes} + op.dynamic_shared_bytes;
    const ptx::Function& function = *program.function;
    auto limit = [](std::uint64_t value, std::uint64_t most, const char* what) {
      return std::to_string(value) + " " + what + ", at most " + std::to_string(most);
    };
    if (op.grid.count() == 0 || threads == 0) return "a grid or block of zero";
    std::uint64_t most = function.max_threads != 0
                             ? std::min<std::uint64_t>(function.max_threads,
                                                       static_cast<std::uint64_t>(gpu_.max_threads_per_block))
                             : static_cast<std::uint64_t>(gpu_.max_threads_per_block);
    if (threads > most) return limit(threads, most, "threads per block");
    if (op.block.z > 64) return limit(op.block.z, 64, "threads in z");
    if (op.grid.y > 65535 || op.grid.z > 65535)
      return limit(std::max(op.grid.y, op.grid.z), 65535, "blocks in y or z");
    std::uint64_t most_shared = static_cast<std::uint64_t>(
        std::max(gpu_.max_shared_bytes_per_block, gpu_.max_shared_bytes_per_block_optin));
    if (shared > most_shared) return limit(shared, most_shared, "bytes of shared memory per block");
    if (const KernelResources* resources = resources_of(op.kernel))
      if (static_cast<std::uint64_t>(resources->registers) * threads >
          static_cast<std::uint64_t>(gpu_.registers_per_sm))
        return limit(static_cast<std::uint64_t>(resources->registers) * threads,
                     static_cast<std::uint64_t>(gpu_.registers_per_sm), "registers per block");
    if (op.arguments.size() < function.parameter_bytes)
      return "fewer argument bytes than the kernel's parameters";
    return "";
  }

  const KernelResources* resources_of(const std::string& kernel) const {
    for (const KernelResources& resources : image_.resources)
      if (resources.kernel == kernel) return &resources;
    return nullptr;
  }

  Result<bool> carry_out(const LaunchOp& op) {
    const Program& program = **module_.program(op.kernel);
    LaunchRecord record;
    record.kernel = program.function->demangled;
    record.grid = triple(op.grid);
    record.block = triple(op.block);
    record.static_shared_bytes = program.static_shared_bytes;
    record.dynamic_shared_bytes = op.dynamic_shared_bytes;
    if (const KernelResources* resources = resources_of(op.kernel)) {
      record.registers = resources->registers;
      record.spill_bytes = resources->spill_bytes;
    }
    record.time = {"time",        "time",       "modelled duration of the launch",
                   Unit::seconds, std::nullopt, Source::modelled};

    Launch launch;
    launch.module = &module_;
    launch.program = &program;
    launch.info = {program.function, op.grid, op.block,
                   program.static_shared_bytes + op.dynamic_shared_bytes};
    launch.memory = &memory_;
    launch.dynamic_shared_bytes = op.dynamic_shared_bytes;
    launch.sms = static_cast<std::uint32_t>(std::max(gpu_.sms, 1));
    launch.grid_id = ++launches_;
    launch.arguments = op.arguments;
    FaultLog faults;
    launch.faults = &faults;
    Ending ending = Ending::stopped;
    if (std::string reason = refusal(op, program); !reason.empty()) {
      RawFault fault;
      fault.kind = FaultKind::bad_launch;
      fault.function = program.function;
      fault.note = reason;
      faults.add(fault);
    } else {
      traffic_.set_ranges(live_ranges());
      Observer* const observers[] = {&traffic_};
      launch.observers = observers;
      ending = execute(launch, {options_.max_warp_instructions});
      traffic_.fill(record);
    }
    tell_faults(faults, launch, record);
    run_.launches.push_back(std::move(record));
    return ending == Ending::complete;
  }

  std::vector<NamedRange> live_ranges() const {
    std::vector<NamedRange> ranges;
    for (const Allocation& a : memory_.allocations())
      if (!a.freed) ranges.push_back({a.name, a.address, a.bytes});
    return ranges;
  }

  void tell_faults(const FaultLog& log, const Launch& launch, LaunchRecord& record) const {
    if (log.faults().empty()) return;
    std::vector<NamedRange> live = live_ranges(), freed, shared;
    for (const Allocation& a : memory_.allocations())
      if (a.freed) freed.push_back({a.name, a.address, a.bytes});
    for (const SharedVariable& v : launch.program->shared) shared.push_back({v.name, v.offset, v.bytes});
    if (launch.dynamic_shared_bytes > 0)
      shared.push_back(
          {"dynamic shared memory", launch.program->dynamic_shared_offset, launch.dynamic_shared_bytes});
    FaultContext context{&launch.info, module_.module().files, live, freed, shared};
    for (const RawFault& fault : log.faults()) record.faults.push_back(describe(fault, context));
  }

  void collect(std::span<const Buffer> buffers) {
    for (const Buffer& buffer : buffers) {
      // The host function may have freed an argument; then nothing of it is defined.
      bool live = memory_.live(buffer.address, buffer.bytes);
      const std::byte* data = GlobalMemory::data(buffer.address);
      run_.outputs.emplace_back(data, data + buffer.bytes);
      run_.written.push_back(live && memory_.defined(buffer.address, buffer.bytes));
      if (run_.written.back()) continue;
      // Undefined bytes read as all ones, a NaN in every float type: what nobody wrote must not look like a right answer.
      const std::uint8_t* shadow = memory_.shadow(buffer.address);
      for (std::uint64_t i = 0; i < buffer.bytes; ++i)
        if (shadow[i] != GlobalMemory::kGood) run_.outputs.back()[i] = std::byte{0xFF};
    }
  }

  GlobalMemory& memory_;
  const GpuProfile& gpu_;
  const LoadedModule& module_;
  const ModuleImage& image_;
  const ExecuteOptions& options_;
  std::uint64_t launches_ = 0;  // grid ids start anew with every plan, so that a plan repeats
  Traffic traffic_;
  Run run_;
  std::size_t allocations_ = 0;
};

}  // namespace

Simulator::Simulator(GpuProfile gpu) : state_(std::make_unique<State>()) { state_->gpu = std::move(gpu); }
Simulator::~Simulator() = default;

AddressRange Simulator::address_range() const { return state_->buffers(); }

Result<Run> Simulator::execute(const LaunchPlan& plan, const ModuleImage& module,
                               std::span<const Buffer> buffers, const ExecuteOptions& options) {
  if (state_->memory.range().bytes == 0)
    return Error{ErrorKind::missing_part, "this machine gives the simulator no address space",
                 "raise the limit: ulimit -v unlimited"};
  Result<const LoadedModule*> loaded = state_->load(module.ptx);
  if (!loaded) return loaded.error();
  return PlanRunner(state_->memory, state_->gpu, **loaded, module, options).run(plan, buffers);
}

}  // namespace fusebox::sim
