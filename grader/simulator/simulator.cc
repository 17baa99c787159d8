#include "grader/simulator/simulator.h"

#include <malloc.h>

#include <map>
#include <utility>

#include "grader/simulator/exec/print.h"
#include "grader/simulator/exec/spread.h"
#include "grader/simulator/plan_limits.h"
#include "grader/simulator/session.h"

namespace fusebox::sim {

struct Simulator::State {
  State(GpuProfile gpu, unsigned cores) : session(std::move(gpu), cores) {}

  Session session;
  std::map<std::string, std::unique_ptr<LoadedModule>> modules;  ///< by PTX text

  Result<const LoadedModule*> load(const std::string& ptx);
};

Result<const LoadedModule*> Simulator::State::load(const std::string& ptx) {
  if (auto known = modules.find(ptx); known != modules.end()) return known->second.get();
  auto loaded = load_module(ptx, session.variables());
  if (!loaded) return loaded.error();
  if (modules.size() >= 16) modules.clear();
  return (modules[ptx] = std::move(*loaded)).get();
}

namespace {

/// Carries one plan out, op by op.
class PlanRunner {
 public:
  PlanRunner(Session& session, const LoadedModule& module, const ModuleImage& image,
             const ExecuteOptions& options)
      : session_(session),
        memory_(session.memory()),
        module_(module),
        image_(image),
        options_(options),
        meter_(options.plan) {}

  Result<Run> run(const LaunchPlan& plan, std::span<const Buffer> buffers) {
    for (const PlanOp& op : plan.ops)
      if (const auto* launch = std::get_if<LaunchOp>(&op))
        if (auto program = module_.program(launch->kernel); !program) return program.error();
    session_.restart();
    if (auto placed = module_.place_variables(memory_); !placed) return placed.error();
    for (const Buffer& buffer : buffers)
      if (auto placed = session_.place(buffer.name, buffer.address, buffer.bytes, buffer.contents); !placed)
        return placed.error();
    for (const PlanOp& op : plan.ops) {
      if (const auto beyond = meter_.begin(op)) {
        run_.faults.push_back(*beyond);
        break;
      }
      Result<bool> done = std::visit([&](const auto& o) { return carry_out(o); }, op);
      if (!done) return done.error();
      if (!*done) break;
    }
    collect(buffers);
    return std::move(run_);
  }

 private:
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
    return session_.place(name, op.address, op.bytes);
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
    session_.fill(op.address, op.value, op.bytes);
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
    session_.write(to, from, op.bytes);
    return true;
  }

  const KernelResources* resources_of(const std::string& kernel) const {
    for (const KernelResources& resources : image_.resources)
      if (resources.kernel == kernel) return &resources;
    return nullptr;
  }

  Result<bool> carry_out(const LaunchOp& op) {
    const Program& program = **module_.program(op.kernel);
    LaunchOutcome outcome =
        session_.launch(module_, program, op,
                        {.resources = resources_of(op.kernel),
                         .max_warp_instructions = meter_.most_for_a_launch(options_.max_warp_instructions),
                         .stop = meter_.out_of_time(),
                         .races = options_.races,
                         .schedule = options_.schedule,
                         .samples = options_.model,
                         .cold = options_.cold_launches,
                         .model = options_.model});
    run_.output.append(outcome.output, 0, kMostOutput - run_.output.size());
    meter_.launched(outcome.work, outcome.ending == Ending::complete, options_.max_warp_instructions,
                    outcome.record, run_.faults);
    run_.launches.push_back(std::move(outcome.record));
    return outcome.ending == Ending::complete;
  }

  void collect(std::span<const Buffer> buffers) {
    run_.outputs.resize(buffers.size());
    run_.written.resize(buffers.size());
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      run_.outputs[i].reserve(buffers[i].bytes);
      bytes += buffers[i].bytes;
    }
    spread_jobs(buffers.size(), bytes, session_.cores(), [&](std::size_t b) {
      const Buffer& buffer = buffers[b];
      // The host function may have freed an argument; then nothing of it is defined.
      const bool live = memory_.live(buffer.address, buffer.bytes);
      const std::byte* data = GlobalMemory::data(buffer.address);
      run_.outputs[b].assign(data, data + buffer.bytes);
      run_.written[b] = live && memory_.defined(buffer.address, buffer.bytes);
      if (run_.written[b]) return;
      // Undefined bytes read as all ones, a NaN in every float type: what nobody wrote must not look like a
      // right answer.
      const std::uint8_t* shadow = memory_.shadow(buffer.address);
      for (std::uint64_t i = 0; i < buffer.bytes; ++i)
        if (shadow[i] != GlobalMemory::kGood) run_.outputs[b][i] = std::byte{0xFF};
    });
  }

  Session& session_;
  GlobalMemory& memory_;
  const LoadedModule& module_;
  const ModuleImage& image_;
  const ExecuteOptions& options_;
  Run run_;
  PlanMeter meter_;
  std::size_t allocations_ = 0;
};

/// Each run gives away outputs of many megabytes, which are soon freed again. The process keeps that memory
/// for the next run: to fetch it from the system page by page takes longer than to fill it.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

}  // namespace

Simulator::Simulator(GpuProfile gpu, unsigned cores)
    : state_(std::make_unique<State>(std::move(gpu), cores)) {
  keep_freed_memory();
}
Simulator::~Simulator() = default;

AddressRange Simulator::address_range() const { return state_->session.buffers(); }

Result<Run> Simulator::execute(const LaunchPlan& plan, const ModuleImage& module,
                               std::span<const Buffer> buffers, const ExecuteOptions& options) {
  if (state_->session.memory().range().bytes == 0)
    return Error{ErrorKind::missing_part, "this machine gives the simulator no address space",
                 "raise the limit: ulimit -v unlimited"};
  Result<const LoadedModule*> loaded = state_->load(module.ptx);
  if (!loaded) return loaded.error();
  return PlanRunner(state_->session, **loaded, module, options).run(plan, buffers);
}

}  // namespace fusebox::sim
