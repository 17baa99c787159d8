#include "grader/gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "grader/gpu/executor_process.h"
#include "grader/report/fault_key.h"
#include "grader/report/text/demangle.h"

namespace fusebox::gpu {
namespace {

constexpr std::uint64_t kMaxSmallMessage = 16 << 20;

Clock::time_point in_seconds(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

const LaunchOp* launch_at(const LaunchPlan& plan, std::int64_t op) {
  if (op < 0 || op >= static_cast<std::int64_t>(plan.ops.size())) return nullptr;
  return std::get_if<LaunchOp>(&plan.ops[static_cast<std::size_t>(op)]);
}

struct Words {
  FaultKey kind;
  const char* what;
  const char* hint;
};

/// What an error of the driver means for whoever wrote the kernel.
Words words_for(std::int32_t code) {
  switch (code) {
    case 700:
      return {FaultKey::illegal_address, "access to memory that belongs to no buffer",
              "run it with --backend sim: the simulator names the buffer, the thread and the line"};
    case 716:
      return {FaultKey::misaligned, "access at an address that is no multiple of its size",
              "a float4 needs an address that is a multiple of 16"};
    case 717:
      return {FaultKey::illegal_address, "access through an address of the wrong memory space",
              "check casts between shared and global pointers"};
    case 702:
      return {FaultKey::endless_loop, "the kernel did not end before the driver's time limit",
              "check the loop's condition"};
    case 710:
      return {FaultKey::assert_failed, "an assert in the kernel failed", "what it printed says which"};
    case 715:
      return {FaultKey::trap, "the GPU met an instruction that it does not have", "compile for this GPU"};
    case 718:
    case 719:
      return {FaultKey::trap, "the kernel stopped itself (trap) or ran out of its program",
              "run it with --backend sim: the simulator names the line"};
    case 1:
    case 701:
    case 720:
      return {FaultKey::bad_launch,
              "the GPU refuses this launch: too many threads, registers or shared bytes",
              "check grid, block and shared memory of the launch"};
    default:
      return {FaultKey::crash, "the GPU reported an error", "run it with --backend sim for the details"};
  }
}

}  // namespace

/// How an exchange ended without a reply.
struct Gpu::Broken {
  std::optional<Failure> failure;  ///< the executor's own last words
  NoFrame why = NoFrame::closed;   ///< otherwise
  std::int64_t op = -1;            ///< the last operation that was begun
  std::string ending;              ///< "was killed by signal 11 (Segmentation fault)"
  double seconds = 0;              ///< how long it was waited for

  Fault fault() const;
};

bool driver_is_present() {
  std::error_code ignored;
  // /dev/dxg: Windows Subsystem for Linux has the driver without the usual device files.
  for (const char* sign : {"/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg"})
    if (std::filesystem::exists(sign, ignored)) return true;
  return false;
}

Gpu::Gpu(GpuSettings settings) : settings_(std::move(settings)) {}
Gpu::~Gpu() = default;

Result<std::unique_ptr<Gpu>> Gpu::open(GpuSettings settings) {
  std::error_code ignored;
  if (!std::filesystem::exists(settings.executor, ignored))
    return Error{ErrorKind::missing_part, fmt::format("{} is missing", settings.executor.string()),
                 "build it: ./fusebox setup"};
  auto gpu = std::unique_ptr<Gpu>(new Gpu(std::move(settings)));
  if (auto awake = gpu->wake(); !awake) return awake.error();
  return gpu;
}

std::string Gpu::description() const {
  return info_.driver.empty()
             ? fmt::format("{}, CUDA {}.{}", info_.name, info_.cuda / 1000, info_.cuda % 1000 / 10)
             : fmt::format("{}, driver {}", info_.name, info_.driver);
}

GpuProfile Gpu::profile(const GpuProfile& like) const {
  GpuProfile gpu = like;
  if (info_.name == like.full_name) return gpu;
  // Rates that no driver tells scale with what it does tell.
  const double compute = info_.sms * info_.clock_hz / (like.sms * like.clock_hz);
  const double memory = info_.dram_bytes_per_second / like.dram_bytes_per_second;
  gpu.full_name = info_.name;
  gpu.name.clear();
  for (char c : info_.name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      gpu.name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  gpu.compute_major = info_.compute_major;
  gpu.compute_minor = info_.compute_minor;
  gpu.sms = info_.sms;
  gpu.l2_bytes = info_.l2_bytes;
  gpu.global_bytes = info_.global_bytes;
  gpu.shared_bytes_per_sm = info_.shared_bytes_per_sm;
  gpu.max_shared_bytes_per_block = info_.max_shared_bytes_per_block;
  gpu.max_shared_bytes_per_block_optin =
      std::max(info_.max_shared_bytes_per_block, info_.max_shared_bytes_per_block_optin);
  gpu.reserved_shared_bytes_per_block = info_.reserved_shared_bytes_per_block;
  gpu.registers_per_sm = info_.registers_per_sm;
  gpu.max_threads_per_sm = info_.max_threads_per_sm;
  gpu.max_threads_per_block = info_.max_threads_per_block;
  gpu.max_blocks_per_sm = info_.max_blocks_per_sm;
  gpu.l1_and_shared_bytes_per_sm = std::max(gpu.shared_bytes_per_sm, gpu.l1_and_shared_bytes_per_sm);
  if (info_.clock_hz > 0) gpu.clock_hz = info_.clock_hz;
  if (memory > 0) {
    gpu.dram_bytes_per_second = info_.dram_bytes_per_second;
    gpu.dram_copy_bytes_per_second = like.dram_copy_bytes_per_second * memory;
  }
  if (compute > 0) gpu.l2_bytes_per_second = like.l2_bytes_per_second * compute;
  return gpu;
}

Result<bool> Gpu::wake() {
  if (process_) return true;
  auto started = ExecutorProcess::start(settings_.executor, settings_.arguments);
  if (!started) return started.error();
  process_ = std::move(*started);
  const auto received = receive(process_->channel(), in_seconds(settings_.start_seconds), kMaxSmallMessage);
  std::string problem;
  if (const auto* frame = std::get_if<Frame>(&received)) {
    if (frame->kind == FrameKind::greeting) {
      if (auto info = decode<DeviceInfo>(frame->payload)) {
        // Addresses of plans that were recorded already must stay good.
        if (info_.range.bytes == 0 || info_.range.begin == info->range.begin) {
          info_ = std::move(*info);
          return true;
        }
        problem = "the GPU gives other addresses than before";
      }
    } else if (frame->kind == FrameKind::failure) {
      if (auto failure = decode<Failure>(frame->payload)) problem = failure->what;
    }
    if (problem.empty()) problem = "the executor does not greet as it should";
  }
  const bool late =
      std::holds_alternative<NoFrame>(received) && std::get<NoFrame>(received) == NoFrame::timed_out;
  const std::string output = process_->take_output();
  const std::string ending = process_->end();
  process_.reset();
  if (problem.empty())
    problem = late ? fmt::format("the GPU does not answer within {} s", settings_.start_seconds)
                   : fmt::format("the GPU's executor {} before it greeted", ending);
  if (!last_problem_.empty()) problem += fmt::format(" (after {})", last_problem_);
  if (!output.empty()) problem += "; it printed: " + output;
  return Error{ErrorKind::missing_part, problem,
               "--backend sim needs no GPU; `nvidia-smi` shows whether the driver sees one"};
}

std::variant<std::vector<std::byte>, Gpu::Broken> Gpu::exchange(FrameKind kind,
                                                                std::span<const std::byte> payload,
                                                                double seconds, std::uint64_t max_bytes) {
  Broken broken;
  broken.seconds = seconds;
  const auto deadline = in_seconds(seconds);
  if (!send(process_->channel(), kind, payload, deadline)) {
    // It may have said why before it went.
    broken.why = NoFrame::closed;
  }
  while (true) {
    auto received = receive(process_->channel(), deadline, max_bytes);
    if (const auto* none = std::get_if<NoFrame>(&received)) {
      broken.why = *none;
      break;
    }
    Frame& frame = std::get<Frame>(received);
    if (frame.kind == FrameKind::reply) return std::move(frame.payload);
    broken.why = NoFrame::garbage;
    if (frame.kind == FrameKind::progress) {
      const auto progress = decode<OpProgress>(frame.payload);
      if (!progress) break;
      broken.op = static_cast<std::int64_t>(progress->op);
      continue;
    }
    if (frame.kind == FrameKind::failure) {
      broken.failure = decode<Failure>(frame.payload);
      if (broken.failure && broken.failure->op >= 0) broken.op = broken.failure->op;
    }
    break;
  }
  return broken;
}

namespace {

std::string describe(NoFrame why, const std::string& ending, double seconds) {
  switch (why) {
    case NoFrame::closed:
      return "the process that runs it on the GPU " + ending;
    case NoFrame::truncated:
      return fmt::format("the process that runs it on the GPU broke off in the middle of its answer; it {}",
                         ending);
    case NoFrame::garbage:
      return "the process that runs it on the GPU answered with garbage";
    case NoFrame::timed_out:
      return fmt::format("it did not end within {} s on the GPU", seconds);
  }
  return {};
}

FaultKey kind_of(NoFrame why) {
  switch (why) {
    case NoFrame::timed_out:
      return FaultKey::endless_loop;
    case NoFrame::garbage:
    case NoFrame::truncated:
      return FaultKey::garbled;
    default:
      return FaultKey::crash;
  }
}

/// The launches of a plan before any of them has run.
std::vector<LaunchRecord> launches_of(const LaunchPlan& plan, const ModuleImage& module) {
  std::vector<LaunchRecord> launches;
  for (const PlanOp& op : plan.ops) {
    const auto* launch = std::get_if<LaunchOp>(&op);
    if (!launch) continue;
    LaunchRecord& record = launches.emplace_back();
    record.kernel = kernel_name(launch->kernel);
    record.grid = {launch->grid.x, launch->grid.y, launch->grid.z};
    record.block = {launch->block.x, launch->block.y, launch->block.z};
    record.dynamic_shared_bytes = launch->dynamic_shared_bytes;
    for (const KernelResources& resources : module.resources) {
      if (resources.kernel != launch->kernel) continue;
      record.registers = resources.registers;
      record.spill_bytes = resources.spill_bytes;
      record.static_shared_bytes = static_cast<std::uint32_t>(resources.static_shared_bytes);
    }
    record.time = {"time",        "time",       "measured duration of the launch",
                   Unit::seconds, std::nullopt, Source::measured};
  }
  return launches;
}

/// Absent: it is none, or not one for these buffers.
std::optional<ExecuteReply> reply_for(std::span<const Buffer> buffers, std::span<const std::byte> payload) {
  auto reply = decode<ExecuteReply>(payload);
  if (!reply || reply->outputs.size() != buffers.size()) return std::nullopt;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (reply->outputs[i].size() != buffers[i].bytes) return std::nullopt;
  return reply;
}

/// `seconds`: of the plan's operations but for allocating and freeing.
void put_times(const LaunchPlan& plan, const std::vector<double>& seconds,
               std::vector<LaunchRecord>& launches) {
  std::size_t operation = 0, launch = 0;
  for (const PlanOp& op : plan.ops) {
    if (std::holds_alternative<AllocOp>(op) || std::holds_alternative<FreeOp>(op)) continue;
    const std::size_t at = operation++;
    if (!std::holds_alternative<LaunchOp>(op)) continue;
    if (at < seconds.size()) launches[launch].time.value = seconds[at];
    ++launch;
  }
}

}  // namespace

Fault Gpu::Broken::fault() const {
  Fault fault;
  if (failure) {
    const Words words = words_for(failure->code);
    fault.kind = word_of(words.kind);
    fault.what = fmt::format("{} ({})", words.what, failure->name);
    fault.hint = words.hint;
  } else {
    fault.kind = word_of(kind_of(why));
    fault.what = describe(why, ending, seconds);
    fault.hint = why == NoFrame::timed_out ? "check the conditions of its loops and waits"
                                           : "run it with --backend sim for the details";
  }
  return fault;
}

Result<Run> Gpu::execute(const LaunchPlan& plan, const ModuleImage& module, std::span<const Buffer> buffers,
                         const ExecuteOptions& options) {
  const std::lock_guard lock(one_at_a_time_);
  if (auto awake = wake(); !awake) return awake.error();

  Run run;
  for (const PlanOp& op : plan.ops)
    if (const auto* alloc = std::get_if<AllocOp>(&op)) run.intermediate_bytes += alloc->bytes;
  run.launches = launches_of(plan, module);
  std::uint64_t max_bytes = kMaxSmallMessage;
  for (const Buffer& buffer : buffers) max_bytes += buffer.bytes + 64;
  const auto answer = exchange(
      FrameKind::execute,
      encode(ExecuteRequest{module.ptx, module.cubin, plan, {buffers.begin(), buffers.end()}, options.model}),
      settings_.execute_seconds, max_bytes);
  run.output = process_->take_output();

  const auto* payload = std::get_if<std::vector<std::byte>>(&answer);
  if (payload == nullptr) return broken_off(plan, buffers, std::get<Broken>(answer), std::move(run));
  auto reply = reply_for(buffers, *payload);
  if (!reply) {
    Broken broken;
    broken.why = NoFrame::garbage;
    return broken_off(plan, buffers, std::move(broken), std::move(run));
  }
  run.outputs = std::move(reply->outputs);
  run.written.assign(buffers.size(), 1);
  put_times(plan, reply->seconds, run.launches);
  return run;
}

Result<Run> Gpu::broken_off(const LaunchPlan& plan, std::span<const Buffer> buffers, Broken broken, Run run) {
  // The process cannot be used again; the next plan gets a fresh one.
  broken.ending = process_->end();
  process_.reset();
  const LaunchOp* culprit = launch_at(plan, broken.op);
  last_problem_ = culprit ? fmt::format("kernel `{}`", kernel_name(culprit->kernel)) : "a plan";
  if (broken.failure && broken.failure->op < 0)
    return Error{broken.failure->code == 0 ? ErrorKind::internal : ErrorKind::missing_part,
                 fmt::format("{}: {}", info_.name, broken.failure->what), "--backend sim needs no GPU"};

  for (const Buffer& buffer : buffers) run.outputs.emplace_back(buffer.bytes, std::byte{0xFF});
  run.written.assign(buffers.size(), 0);
  Fault fault = broken.fault();
  if (!culprit) {
    run.faults.push_back(std::move(fault));
    return run;
  }
  fault.kernel = kernel_name(culprit->kernel);
  std::size_t launch = 0;
  for (std::int64_t i = 0; i < broken.op; ++i) launch += launch_at(plan, i) != nullptr;
  run.launches[launch].faults.push_back(std::move(fault));
  run.launches.resize(launch + 1);
  return run;
}

Result<TimeReply> Gpu::time(const TimeRequest& request) {
  const std::lock_guard lock(one_at_a_time_);
  if (auto awake = wake(); !awake) return awake.error();
  std::uint64_t max_bytes = kMaxSmallMessage;
  if (!request.sets.empty())
    for (const Buffer& buffer : request.sets.front())
      max_bytes += (request.variants.size() + 2) * (buffer.bytes + 64);
  const auto answer = exchange(FrameKind::time, encode(request), settings_.time_seconds, max_bytes);
  (void)process_->take_output();
  if (const auto* payload = std::get_if<std::vector<std::byte>>(&answer)) {
    auto reply = decode<TimeReply>(*payload);
    if (reply && reply->variants.size() == request.variants.size()) return std::move(*reply);
  }
  Broken broken;
  broken.why = NoFrame::garbage;
  if (const auto* told = std::get_if<Broken>(&answer)) broken = *told;
  broken.ending = process_->end();
  process_.reset();
  last_problem_ = "a timing run";
  return Error{ErrorKind::not_passed,
               broken.failure ? fmt::format("{}: {}", info_.name, broken.failure->what)
                              : describe(broken.why, broken.ending, broken.seconds),
               "grade it first: timing expects kernels that are right"};
}

}  // namespace fusebox::gpu
