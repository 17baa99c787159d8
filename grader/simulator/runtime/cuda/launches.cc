#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "grader/device/cuda_launch.h"
#include "grader/report/fault_key.h"
#include "grader/simulator/runtime/cuda/runtime.h"

// Launches of all kinds.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;
using cuda::Extent;

/// How long a launch takes when runs are compared.
constexpr double kComparedSeconds = 10e-6;

/// Registered host memory is not the device's own: the device has a copy of it.
void bring_in(Runtime& state) {
  for (const auto& [host, range] : state.registered) state.session.write(range.alias, host, range.bytes);
}
void bring_back(Runtime& state) {
  for (const auto& [host, range] : state.registered)
    std::memcpy(const_cast<void*>(host), GlobalMemory::data(range.alias), range.bytes);
}

/// Programs hand host addresses of registered memory to kernels: hardware takes them as they are. Words of
/// the arguments that are such addresses become those of the device's copy.
void translate_registered(const Runtime& state, std::vector<std::byte>& arguments) {
  for (std::size_t at = 0; !state.registered.empty() && at + sizeof(DeviceAddress) <= arguments.size();
       at += sizeof(DeviceAddress)) {
    DeviceAddress word;
    std::memcpy(&word, arguments.data() + at, sizeof word);
    for (const auto& [host, range] : state.registered)
      if (const DeviceAddress offset = word - address_of(host); offset < range.bytes) {
        word = range.alias + offset;
        std::memcpy(arguments.data() + at, &word, sizeof word);
        break;
      }
  }
}

/// Hardware protects pages and not buffers: what goes a little too far it does not see.
bool hardware_would_notice(const Runtime& state, DeviceAddress address) {
  constexpr DeviceAddress kMapped = 2 << 20;
  for (const Allocation& a : state.session.memory().allocations())
    if (address + kMapped >= a.address && address < a.address + a.bytes + kMapped) return false;
  return true;
}

/// What a program on a GPU would be told after such a launch.
Error error_of(const Runtime& state, const LaunchOutcome& outcome) {
  for (const RawFault& fault : outcome.faults) {
    const bool global = fault.space == Space::global || fault.space == Space::constant;
    if (fault.kind == FaultKind::trap)
      return fault.note.find("assert") != std::string::npos ? cuda::kAssert : cuda::kLaunchFailure;
    if (fault.kind == FaultKind::endless_loop) return cuda::kLaunchTimeout;
    if (fault.kind == FaultKind::misaligned) return cuda::kMisalignedAddress;
    if (fault.kind == FaultKind::out_of_bounds && global && hardware_would_notice(state, fault.address))
      return cuda::kIllegalAddress;
  }
  return outcome.ending == Ending::complete ? cuda::kSuccess : cuda::kLaunchFailure;
}

Error refused(Runtime& state, const Kernel& kernel, const LaunchRefusal& refusal) {
  state.journal.note("a launch of " + kernel.program->function->demangled +
                     " was refused: " + refusal.reason);
  return refusal.error;
}

}  // namespace

Error read_launch(Runtime& state, const void* function, const LaunchShape& asked, void** arguments,
                  KernelCall& call) {
  Kernel* kernel = state.find_kernel(function);
  if (!kernel) return cuda::kInvalidDeviceFunction;
  if (const Error error = state.prepare(*kernel); error != cuda::kSuccess) return error;
  LaunchShape shape = asked;
  shape.dynamic_shared_allowed = kernel->dynamic_shared_allowed;
  shape.large_clusters = kernel->large_clusters;
  // What __cluster_dims__ says holds for every launch.
  if (const auto& own = kernel->program->function->cluster; own[0] != 0)
    shape.cluster = {own[0], own[1], own[2]};
  const KernelParameters& parameters = kernel->parameters;
  if (const auto refusal = check_launch(state.gpu(), parameters, shape))
    return refused(state, *kernel, *refusal);

  LaunchOp& op = call.op;
  call.kernel = kernel;
  op.kernel = kernel->name;
  op.grid = shape.grid;
  op.block = shape.block;
  op.dynamic_shared_bytes = static_cast<std::uint32_t>(shape.dynamic_shared_bytes);
  op.cooperative = shape.cooperative;
  op.cluster = shape.cluster;
  if (!parameters.slots.empty() && !arguments) return cuda::kInvalidValue;
  op.arguments = cuda::pack_arguments(parameters, arguments);
  translate_registered(state, op.arguments);
  return cuda::kSuccess;
}

namespace {

/// What is known of a launch that was not counted goes to the journal; `record` gets the time that it takes.
void note_uncounted(Runtime& state, const CountedLaunches::Turn& turn, LaunchRecord& record) {
  const bool faults = !std::all_of(record.faults.begin(), record.faults.end(), is_remark);
  if (turn.like != nullptr) {
    record.time = turn.like->time;
    if (!faults) return state.journal.repeated(turn.like_number);
    LaunchRecord numbers = *turn.like;
    numbers.faults = record.faults;
    return state.journal.launch(turn.number, numbers);
  }
  record.time.value = state.gpu().launch_overhead_s;
  state.journal.uncounted(record.kernel);
  for (const Fault& fault : record.faults) {
    if (is_remark(fault)) continue;
    const std::string line =
        fault.line > 0 ? ", line " + std::to_string(fault.line) + " of " + fault.file : "";
    // Where a loop repeats it, the first one tells.
    if (state.faults_told.insert(record.kernel + " " + fault.kind + line).second)
      state.journal.problem("a launch of " + record.kernel + " that was not to be counted has a fault: " +
                            fault.what + (fault.where.empty() ? "" : ", " + fault.where) + line);
  }
}

/// Besides on its arguments, and where nobody asks for another order of its warps.
bool depends_on_memory_alone(Runtime& state, const KernelCall& call) {
  return !state.schedule && !state.compared && state.session.textures().empty() &&
         !call.kernel->binary->module->uses_heap();
}

}  // namespace

Error carry_out(Runtime& state, const KernelCall& call) {
  const std::string& kernel = call.kernel->program->function->demangled;
  const CountedLaunches::Turn turn = state.counted.next(kernel, call.op);
  bring_in(state);
  if (state.host_writes_unseen()) state.known.disturb();
  const bool may_be_known = !turn.counted() && depends_on_memory_alone(state, call);
  if (may_be_known && state.known.repeat(std::to_string(address_of(call.kernel)) + kind_of(call.op))) {
    bring_back(state);
    LaunchRecord record;
    record.kernel = kernel;
    note_uncounted(state, turn, record);
    state.seconds += record.time.value.value_or(0);
    return cuda::kSuccess;
  }
  LaunchSettings settings;
  settings.counted = turn.counted();
  if (state.progress) {
    state.progress->begin(turn.number, kernel, call.op.grid.count());
    settings.blocks_done = state.progress->blocks_done();
  }
  settings.resources = call.kernel->resources;
  settings.max_warp_instructions = state.budget;
  settings.schedule = state.schedule;
  settings.model = !state.compared;
  settings.cold = state.cold;
  const auto began = std::chrono::steady_clock::now();
  LaunchOutcome outcome =
      state.session.launch(*call.kernel->binary->module, *call.kernel->program, call.op, settings);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  if (may_be_known)
    state.known.keep(took.count(),
                     outcome.ending == Ending::complete && outcome.faults.empty() && outcome.output.empty());
  else
    state.known.disturb();
  if (state.progress) state.progress->end();
  bring_back(state);
  for (Fault& fault : outcome.record.faults)
    if (is_one_of(fault, {FaultKey::endless_loop}))
      fault.hint = "--max-instructions NUMBER lets a kernel go on that only takes long. " + fault.hint;
  if (turn.counted()) {
    state.journal.launch(turn.number, outcome.record);
    state.counted.keep(outcome.record);
  } else {
    note_uncounted(state, turn, outcome.record);
  }
  state.output += outcome.output;
  state.seconds += state.compared ? kComparedSeconds : outcome.record.time.value.value_or(0);
  state.pending = error_of(state, outcome);
  // A failed assertion is printed on stderr, whether or not the host waits for the launch.
  if (state.pending == cuda::kAssert)
    for (const RawFault& fault : outcome.faults)
      if (fault.kind == FaultKind::trap) std::fprintf(stderr, "%s\n", fault.note.c_str());
  return cuda::kSuccess;
}

namespace {

Error launch(const void* function, const cuda::CallConfiguration& call, void** arguments,
             bool cooperative = false, const Dim3& cluster = {}) {
  return quiet_entry([&](Runtime& state) {
    KernelCall kernel_call;
    if (const Error error = read_launch(
            state, function,
            {cuda::dim3_of(call.grid), cuda::dim3_of(call.block), call.shared, 0, cooperative, cluster},
            arguments, kernel_call);
        error != cuda::kSuccess)
      return error;
    const Captured where = captured(state, call.stream, GraphNode::Kind::kernel);
    if (!where.node) return where.error != cuda::kSuccess ? where.error : carry_out(state, kernel_call);
    where.node->function = function;
    where.node->kernel = std::move(kernel_call);
    for (const auto& slot : where.node->kernel.kernel->parameters.slots)
      where.node->arguments.push_back(where.node->kernel.op.arguments.data() + slot.offset);
    return cuda::kSuccess;
  });
}

}  // namespace
}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API unsigned __cudaPushCallConfiguration(cuda::Extent grid, cuda::Extent block,
                                                      std::size_t shared, void* stream) {
  cuda::push_call({grid, block, shared, stream});
  return 0;
}

FUSEBOX_CUDA_API cuda::Error __cudaPopCallConfiguration(cuda::Extent* grid, cuda::Extent* block,
                                                        std::size_t* shared, void* stream) {
  const auto top = cuda::pop_call();
  if (!top) return last_error() = cuda::kMissingConfiguration;
  *grid = top->grid;
  *block = top->block;
  *shared = top->shared;
  *static_cast<void**>(stream) = top->stream;
  return cuda::kSuccess;
}

FUSEBOX_CUDA_API cuda::Error cudaLaunchKernel(const void* function, cuda::Extent grid, cuda::Extent block,
                                              void** arguments, std::size_t shared, void* stream) {
  return launch(function, {grid, block, shared, stream}, arguments);
}
FUSEBOX_CUDA_API cuda::Error cudaLaunchCooperativeKernel(const void* function, cuda::Extent grid,
                                                         cuda::Extent block, void** arguments,
                                                         std::size_t shared, void* stream) {
  return launch(function, {grid, block, shared, stream}, arguments, true);
}

// CUDA 13 looks a kernel up once and launches by its handle.
FUSEBOX_CUDA_API cuda::Error __cudaGetKernel(void** handle, const void* function) {
  Runtime* state = runtime();
  if (!state) return last_error() = cuda::kInitializationError;
  const std::lock_guard lock(state->mutex);
  *handle = state->find_kernel(function);
  return *handle ? cuda::kSuccess : last_error() = cuda::kInvalidDeviceFunction;
}
FUSEBOX_CUDA_API cuda::Error cudaGetKernel(void** handle, const void* function) {
  return handle ? __cudaGetKernel(handle, function) : entry([](Runtime&) { return cuda::kInvalidValue; });
}
FUSEBOX_CUDA_API cuda::Error cudaGetFuncBySymbol(void** handle, const void* function) {
  return cudaGetKernel(handle, function);
}
FUSEBOX_CUDA_API cuda::Error __cudaLaunchKernel(void* handle, cuda::Extent grid, cuda::Extent block,
                                                void** arguments, std::size_t shared, void* stream) {
  return launch(handle, {grid, block, shared, stream}, arguments);
}

FUSEBOX_CUDA_API cuda::Error cudaLaunchKernelExC(const cuda::LaunchConfig* config, const void* function,
                                                 void** arguments) {
  if (!config || (config->attribute_count > 0 && !config->attributes))
    return entry([](Runtime&) { return cuda::kInvalidValue; });
  const cuda::LaunchOptions options = cuda::read_attributes(*config);
  if (!options.refused.empty()) return not_supported("cudaLaunchKernelExC", options.refused);
  cuda::Error error =
      launch(function, {config->grid, config->block, config->dynamic_shared_bytes, config->stream}, arguments,
             options.cooperative, options.cluster);
  for (void* event : options.events)
    if (error == cuda::kSuccess) error = cudaEventRecord(event, config->stream);
  return error;
}
