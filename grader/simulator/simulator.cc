#include "grader/simulator/simulator.h"

#include <malloc.h>

#include <map>
#include <utility>

#include "grader/report/fault_key.h"
#include "grader/simulator/exec/instructions/print.h"
#include "grader/simulator/exec/memory/parallel_for.h"
#include "grader/simulator/launch/session.h"
#include "grader/simulator/plan/plan_limits.h"
#include "grader/simulator/plan/stream_races.h"
#include "grader/simulator/plan/unwritten_reads.h"

namespace fusebox::sim {

// As many files as are graded in one go keep their decoded code.
constexpr std::size_t kMaxModules = 16;

struct Simulator::State {
  State(GpuProfile gpu, unsigned cores) : session(std::move(gpu), cores) {}

  Session session;
  /// By PTX text, and whether NaN is watched for.
  std::map<std::pair<std::string, bool>, std::unique_ptr<LoadedModule>> modules;

  Result<const LoadedModule*> load(const std::string& ptx, bool watch_nan);
};

Result<const LoadedModule*> Simulator::State::load(const std::string& ptx, bool watch_nan) {
  if (auto known = modules.find({ptx, watch_nan}); known != modules.end()) return known->second.get();
  auto loaded = load_module(ptx, session.variables(), watch_nan);
  if (!loaded) return loaded.error();
  if (modules.size() >= kMaxModules) {
    session.forget_code();
    modules.clear();
  }
  return (modules[{ptx, watch_nan}] = std::move(*loaded)).get();
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
        meter_(options.plan),
        unwritten_(memory_) {}

  /// `share`: run one block in so many, where that tells what all of them do.
  Result<Run> run(const LaunchPlan& plan, std::span<const Buffer> buffers, unsigned share) {
    share_ = share;
    not_alike_ = false;
    run_ = {};
    allocations_ = 0;
    meter_.restart();
    for (const PlanOp& op : plan.ops)
      if (const auto* launch = std::get_if<LaunchOp>(&op))
        if (auto program = module_.program(launch->kernel); !program) return program.error();
    session_.restart(share_);
    if (auto placed = module_.place_variables(memory_); !placed) return placed.error();
    for (const Buffer& buffer : buffers)
      if (auto placed = place(buffer); !placed) return placed.error();
    const bool races_wanted = options_.races && !options_.numbers_only;
    StreamRaces races(races_wanted ? plan : LaunchPlan{});
    std::size_t carried_out = 0;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
      if (const auto beyond = meter_.begin(plan.ops[i])) {
        run_.faults.push_back(*beyond);
        break;
      }
      touched_ = races.touched_by(i);
      const std::string name =
          touched_ ? std::visit([&](const auto& o) { return name_of(o); }, plan.ops[i]) : "";
      const std::vector<NamedRange> buffers_then =
          touched_ ? session_.live_ranges() : std::vector<NamedRange>{};
      Result<bool> done = std::visit([&](const auto& o) { return carry_out(o); }, plan.ops[i]);
      if (!done) return done.error();
      if (touched_)
        for (Fault& fault : races.done(i, name, buffers_then)) run_.faults.push_back(std::move(fault));
      if (not_alike_) return run(plan, buffers, 1);
      if (!*done) break;
      ++carried_out;
    }
    if (carried_out == plan.ops.size())
      for (Fault& fault : races.returned(named(buffers))) run_.faults.push_back(std::move(fault));
    unwritten_.finish(run_);
    if (options_.model) run_.left_in_l2_bytes = session_.left_in_l2_bytes();
    if (!options_.numbers_only) collect(buffers);
    return std::move(run_);
  }

 private:
  static std::vector<NamedRange> named(std::span<const Buffer> buffers) {
    std::vector<NamedRange> ranges;
    for (const Buffer& buffer : buffers) ranges.push_back({buffer.name, buffer.address, buffer.bytes});
    return ranges;
  }
  Result<bool> place(const Buffer& buffer) {
    if (options_.numbers_only && buffer.contents.empty())
      return session_.place_zeros(buffer.name, buffer.address, buffer.bytes);
    return session_.place(buffer.name, buffer.address, buffer.bytes, buffer.contents);
  }
  /// A copy or memset on its way through the modelled L2.
  void model_copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
    if (options_.model) run_.transfers.push_back(session_.model_copy(to, from, bytes));
  }

  void plan_fault(FaultKey kind, std::string what, std::string hint) {
    Fault fault;
    fault.kind = word_of(kind);
    fault.what = std::move(what);
    fault.hint = std::move(hint);
    run_.faults.push_back(std::move(fault));
  }

  std::string name_of(const AllocOp&) const { return "cudaMallocAsync"; }
  std::string name_of(const FreeOp&) const { return "cudaFreeAsync"; }
  std::string name_of(const MemsetOp&) const { return "a memset"; }
  std::string name_of(const CopyOp&) const { return "a copy"; }
  std::string name_of(const LaunchOp& op) const {
    return "`" + (*module_.program(op.kernel))->function->demangled + "`";
  }
  /// For those who look for races between streams.
  void note(AccessKind kind, DeviceAddress address, std::uint64_t bytes) {
    if (touched_ != nullptr) touched_->add(kind, address, bytes);
  }

  Result<bool> carry_out(const AllocOp& op) {
    note(AccessKind::store, op.address, op.bytes);
    std::size_t index = allocations_++;
    std::string name = index < options_.intermediate_names.size() ? options_.intermediate_names[index]
                                                                  : "buffer " + std::to_string(index + 1);
    run_.intermediate_bytes += op.bytes;
    auto placed = place({name, op.address, op.bytes, {}});
    if (placed) memory_.mark_own(op.address);
    return placed;
  }

  Result<bool> carry_out(const FreeOp& op) {
    for (const Allocation& a : memory_.allocations())
      if (!a.freed && a.address == op.address) note(AccessKind::store, op.address, a.bytes);
    unwritten_.freeing(run_, op.address);
    if (!memory_.free(op.address))
      plan_fault(FaultKey::bad_free, "cudaFree of memory that is not allocated", "free each allocation once");
    return true;
  }

  Result<bool> carry_out(const MemsetOp& op) {
    if (!memory_.live(op.address, op.bytes)) {
      plan_fault(FaultKey::out_of_bounds, "cudaMemset outside any buffer",
                 "check its address and size in bytes");
      return true;
    }
    note(AccessKind::store, op.address, op.bytes);
    session_.fill(op.address, op.value, op.bytes);
    model_copy(op.address, 0, op.bytes);
    unwritten_.carried_out(run_, name_of(op));
    return true;
  }

  Result<bool> carry_out(const CopyOp& op) {
    DeviceAddress to = op.to;
    if (!op.symbol.empty()) {
      const ptx::Variable* variable = module_.find_variable(op.symbol);
      if (variable == nullptr) {
        plan_fault(FaultKey::bad_copy,
                   "cudaMemcpyToSymbol to `" + op.symbol + "`, which device code does not use",
                   "copy to a symbol that a kernel reads");
        return true;
      }
      to += module_.address_of(*variable);
    }
    bool from_device = op.host_bytes.empty();
    if (!memory_.live(to, op.bytes) || (from_device && !memory_.live(op.from, op.bytes))) {
      plan_fault(FaultKey::out_of_bounds,
                 "a copy of " + std::to_string(op.bytes) + " bytes leaves its buffer",
                 "check its addresses and its size in bytes");
      return true;
    }
    model_copy(to, from_device ? op.from : 0, op.bytes);
    if (op.bytes == 0) return true;
    note(AccessKind::store, to, op.bytes);
    if (from_device) note(AccessKind::load, op.from, op.bytes);
    if (from_device && !memory_.defined(op.from, op.bytes))
      plan_fault(FaultKey::uninitialised_read, "a copy reads memory that nothing has written",
                 "launch what writes it first");
    const void* from =
        from_device ? static_cast<const void*>(GlobalMemory::data(op.from)) : op.host_bytes.data();
    session_.write(to, from, op.bytes);
    unwritten_.carried_out(run_, name_of(op));
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
                         .max_warp_instructions = meter_.max_for_a_launch(options_.max_warp_instructions),
                         .max_printed_bytes = options_.plan.printed_bytes,
                         .stop = meter_.out_of_time(),
                         .counted = options_.counted,
                         .races = options_.races && !options_.numbers_only,
                         .share = share_,
                         .numbers_only = options_.numbers_only,
                         .schedule = options_.schedule,
                         .samples = options_.model && !options_.numbers_only,
                         .cold = options_.cold_launches,
                         .model = options_.model,
                         .watcher = touched_});
    if (outcome.not_alike) {
      not_alike_ = true;
      return false;
    }
    run_.blocks_run += outcome.blocks_run;
    run_.output.append(outcome.output, 0, kMaxOutput - run_.output.size());
    meter_.launched(outcome.work, outcome.ending == Ending::complete, options_.max_warp_instructions,
                    outcome.record, run_.faults);
    run_.launches.push_back(std::move(outcome.record));
    unwritten_.launched(run_, outcome.faults);
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
    parallel_for(buffers.size(), bytes, session_.cores(), [&](std::size_t b) {
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
  UnwrittenReads unwritten_;
  std::size_t allocations_ = 0;
  unsigned share_ = 1;
  bool not_alike_ = false;  ///< a launch cannot be told from a share of its blocks
  BytesTouched* touched_ =
      nullptr;  ///< of the operation that is being carried out; null: nothing can meet it
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
  Result<const LoadedModule*> loaded = state_->load(module.ptx, options.watch_nan);
  if (!loaded) return loaded.error();
  return PlanRunner(state_->session, **loaded, module, options)
      .run(plan, buffers, options.numbers_only ? options.share : 1);
}

}  // namespace fusebox::sim
