#include "grader/judge/cases/case_runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grader/judge/budgets/ledger.h"
#include "grader/judge/budgets/metrics.h"
#include "grader/judge/budgets/unread_inputs.h"
#include "grader/judge/cases/mistakes.h"
#include "grader/judge/compare/compare.h"
#include "grader/judge/compare/tensor_bytes.h"
#include "grader/judge/faults/fault_line.h"
#include "grader/judge/faults/fault_order.h"
#include "grader/judge/faults/misplaced_stores.h"
#include "grader/judge/faults/short_fill.h"
#include "grader/judge/source/allocation_names.h"
#include "grader/report/fault_key.h"

namespace fusebox {
namespace {

// Far above what any puzzle's case needs (the largest takes a few million), and still an answer within
// seconds.
constexpr std::uint64_t kMaxWarpInstructions = 40'000'000;
// Of all launches of a call together.
constexpr std::uint64_t kMaxWork = 2 * kMaxWarpInstructions;
constexpr std::uint64_t kMaxPrinted = 4 << 20;  // by a block; by host functions: RecordLimits

std::string quoted_line(const SourceFile& source, const std::string& file, int line) {
  if (line <= 0 || std::filesystem::path(file).filename() != source.path.filename()) return {};
  const std::string text = source.line(line);
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? std::string{} : fmt::format("{:>6} | {}\n", line, text.substr(begin));
}

std::string describe(const Fault& fault, const SourceFile& source) {
  std::string text = fault.what;
  if (!fault.where.empty()) text += ", " + fault.where;
  text += "\n";
  std::string place;
  if (!fault.kernel.empty())
    place = fmt::format("in {}, block ({}), thread ({})", fault.kernel, fmt::join(fault.block, ","),
                        fmt::join(fault.thread, ","));
  if (fault.line > 0)
    place += fmt::format("{}{}:{}", place.empty() ? "at " : ", ",
                         std::filesystem::path(fault.file).filename().string(), fault.line);
  if (fault.count > 1) place += fmt::format("; {} threads did the same there", fault.count);
  if (!place.empty()) text += place + "\n";
  text += quoted_line(source, fault.file, fault.line);
  if (!fault.hint.empty()) text += "try: " + fault.hint + "\n";
  return text;
}

Check failed(std::string summary, std::string detail) {
  Check check;
  check.outcome = Outcome::failed;
  check.summary = std::move(summary);
  check.detail = std::move(detail);
  return check;
}

/// The next case would cost as much, and end no better.
bool never_ended(const Fault& fault) {
  return is_one_of(fault, {FaultKey::endless_loop, FaultKey::stack_overflow, FaultKey::work_limit,
                           FaultKey::time_limit, FaultKey::output_limit});
}

CaseResult recording_failed(const RecordFailure& failure) {
  CaseResult result;
  std::string detail;
  if (!failure.hint.empty()) detail += "try: " + failure.hint + "\n";
  if (!failure.output.empty())
    detail += "it printed:\n" + failure.output + (failure.output.back() == '\n' ? "" : "\n");
  result.check = failed(failure.what, detail);
  result.check.ended = failure.kind;
  result.hopeless = failure.kind == FailureKind::hang || failure.kind == FailureKind::output;
  return result;
}

}  // namespace

void name_kernels(Run& run) {
  for (LaunchRecord& launch : run.launches) {
    launch.kernel = as_if_alone(std::move(launch.kernel));
    for (Fault& fault : launch.faults)
      for (std::string* text : {&fault.kernel, &fault.what, &fault.where})
        *text = as_if_alone(std::move(*text));
  }
}

namespace {

/// Everything that is wrong with the inputs and outputs after a run without faults.
void judge_buffers(const Call& call, const Run& run, CaseResult& result) {
  double max_use = -1;
  std::string wrong, changed;
  for (std::size_t i = 0; i < call.buffers.size(); ++i) {
    const Tensor& tensor = *call.tensors[i];
    if (tensor.role == Role::in) {
      const std::int64_t at = first_change(call.buffers[i].contents, run.outputs[i], tensor.dtype);
      if (at >= 0)
        changed += fmt::format("the kernel wrote to its input: {}[{}] was {:.8g} and is {:.8g}\n",
                               tensor.name, fmt::join(index_of(at, tensor.shape), ", "),
                               decode(call.buffers[i].contents, at, tensor.dtype),
                               decode(run.outputs[i], at, tensor.dtype));
      continue;
    }
    const Comparison comparison = compare(tensor, run.outputs[i], run.written[i] != 0);
    const double use =
        comparison.tolerance > 0 ? comparison.max_error / comparison.tolerance : comparison.max_error;
    if (std::isnan(use) || use > max_use) {
      max_use = std::isnan(use) ? max_use : use;
      result.check.max_error = comparison.max_error;
      result.check.tolerance = comparison.tolerance;
    }
    wrong += describe(comparison, tensor.name);
    // Right by luck is not right: what was never stored to holds whatever was there before. Where some
    // elements need not be written, it is the others' poison that tells.
    if (comparison.ok() && run.written[i] == 0 && tensor.overlooked.empty())
      wrong += fmt::format("parts of `{}` were never written.\n", tensor.name);
    for (const Mismatch& m : comparison.mismatches) result.check.mismatches.push_back(m);
  }
  if (!changed.empty()) {
    result.check.outcome = Outcome::failed;
    result.check.summary = "an input was changed";
    result.check.detail = changed + wrong;
  } else if (!wrong.empty()) {
    result.check.outcome = Outcome::failed;
    result.wrong_answer = true;
    result.check.summary = wrong.substr(0, wrong.find('\n'));
    result.check.detail = wrong;
  }
}

/// The plan ran to its end and nothing was wrong with how it did.
bool is_clean(const LaunchPlan& plan, const Run& run) {
  if (!run.faults.empty()) return false;
  for (const LaunchRecord& launch : run.launches)
    if (!launch.faults.empty()) return false;
  return std::any_of(plan.ops.begin(), plan.ops.end(),
                     [](const PlanOp& op) { return std::holds_alternative<LaunchOp>(op); });
}

/// A verdict that only the GPU gives says so.
void say_where(Check& check, const std::string& gpu, const std::string& about_simulator) {
  check.summary = check.outcome == Outcome::passed ? fmt::format("{} on the {} alone", check.summary, gpu)
                                                   : fmt::format("on the {}: {}", gpu, check.summary);
  check.detail += fmt::format("on the simulator: {}\n", about_simulator);
}

/// Of a value that was never written: the copy or memset that should have written it.
std::string who_fills_too_little(const Fault& fault, const Entry& entry, const SourceFile& source,
                                 const Call& call, const LaunchPlan& plan) {
  const std::string& name = fault.buffer;
  if (!is_one_of(fault, {FaultKey::uninitialised_read}) || name.empty()) return {};
  for (const Buffer& buffer : call.buffers)
    if (buffer.name == name) return short_fill(plan, name, buffer.address, buffer.bytes);
  const auto names = allocation_names(source, entry.signature.function, plan, entry.intermediates);
  std::size_t next = 0;
  for (const PlanOp& op : plan.ops) {
    const auto* allocation = std::get_if<AllocOp>(&op);
    if (!allocation) continue;
    if (next < names.size() && names[next] == name)
      return short_fill(plan, name, allocation->address, allocation->bytes);
    ++next;
  }
  return {};
}

/// Of a tensor that is changed in place: how many elements are what they were, and how many should not be.
std::pair<std::int64_t, std::int64_t> unchanged_elements(const Tensor& tensor,
                                                         std::span<const std::byte> got) {
  std::int64_t unchanged = 0, to_change = 0;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const double before = tensor.values[static_cast<std::size_t>(i)];
    if (tensor.is_overlooked(i) || tensor.expected[static_cast<std::size_t>(i)] == before) continue;
    ++to_change;
    unchanged += decode(got, i, tensor.dtype) == before;
  }
  return {unchanged, to_change};
}

/// Of threads that store to one element of an output: what its other elements say.
std::string who_is_left_out(const Fault& fault, const Call& call, const Run& run) {
  // What was stopped had no time to write the others.
  if (!ended_but_for_races(run)) return {};
  for (std::size_t i = 0; i < call.tensors.size() && i < run.outputs.size(); ++i) {
    const Tensor& tensor = *call.tensors[i];
    if (tensor.role == Role::in || tensor.name != fault.buffer) continue;
    if (tensor.role == Role::out && fault.between_stores && run.written[i] == 0)
      return misplaced_stores(fault, tensor.name, compare(tensor, run.outputs[i], false));
    if (tensor.role == Role::inout) {
      const auto [unchanged, to_change] = unchanged_elements(tensor, run.outputs[i]);
      return misplaced_updates(fault, tensor.name, unchanged, to_change);
    }
  }
  return {};
}

/// Of blocks or warps that store what others store: whether that is all that they do.
std::string who_works_again(std::span<const FaultSeen> faults, const Call& call) {
  std::vector<OutputSize> outputs;
  for (const Tensor* tensor : call.tensors)
    if (tensor->role == Role::out) outputs.push_back({tensor->name, tensor->count()});
  return repeated_work(faults, outputs);
}

}  // namespace

void judge_run(const Entry& entry, const SourceFile& source, const Call& call, const LaunchPlan& plan,
               const Run& run, CaseResult& result) {
  std::vector<std::pair<std::size_t, Fault>> told;
  const auto tell = [&](std::size_t launch, const Fault& fault) {
    told.emplace_back(launch, without_refuted_guess(fault, source, entry.signature.function));
    std::string hint = who_fills_too_little(fault, entry, source, call, plan);
    if (hint.empty()) hint = who_is_left_out(fault, call, run);
    if (!hint.empty()) told.back().second.hint = std::move(hint);
  };
  for (const Fault& fault : run.faults) tell(0, fault);
  for (std::size_t i = 0; i < run.launches.size(); ++i)
    for (const Fault& fault : run.launches[i].faults) tell(i, fault);
  std::vector<FaultSeen> faults;
  faults.reserve(told.size());
  for (const auto& [launch, fault] : told) faults.push_back({{}, launch, &fault});
  if (const std::string says = who_works_again(faults, call); !says.empty())
    for (auto& [launch, fault] : told)
      if (is_one_of(fault, {FaultKey::race_same_value})) fault.hint = says;

  bool launches = false;
  for (const PlanOp& op : plan.ops) launches |= std::holds_alternative<LaunchOp>(op);

  if (!faults.empty()) {
    Fault fault = *root_fault(faults);
    fault.line = line_to_show(fault, source);
    std::string detail = describe(fault, source);
    if (faults.size() > 1)
      detail += fmt::format("and {} more faults at other lines or launches\n", faults.size() - 1);
    result.check = failed(fault.what + (fault.where.empty() ? "" : ", " + fault.where), detail);
    result.check.fault = fault;
    for (const FaultSeen& each : faults) {
      result.faults.push_back(*each.fault);
      result.fault_launches.push_back(each.launch);
      result.hopeless |= never_ended(*each.fault);
    }
  } else if (!launches) {
    result.no_kernel = true;
    result.check = failed(fmt::format("`{}` launched no kernel", entry.signature.function),
                          "try: launch a kernel with <<<grid, block>>>; nothing else can fill the output\n");
  } else {
    result.executed = true;
    judge_buffers(call, run, result);
    if (result.check.outcome == Outcome::passed)
      result.check.summary =
          fmt::format("max error {:.1e}, allowed {:.1e}", result.check.max_error.value_or(0),
                      result.check.tolerance.value_or(0));
  }
}

ExecuteOptions options_for(const Services& services, const SourceFile& source, const Entry& entry,
                           const Call& call, const LaunchPlan& plan) {
  ExecuteOptions options;
  options.max_warp_instructions = kMaxWarpInstructions;
  // A byte of shadow lies beside each.
  options.plan = {call.max_work != 0 ? call.max_work : kMaxWork, services.memory_bytes / 2, services.seconds,
                  kMaxPrinted};
  options.intermediate_names = allocation_names(source, entry.signature.function, plan, entry.intermediates);
  options.model = call.counted;
  // The counted case is the largest by far; a race shows in the small ones as well.
  options.races = call.races && !call.counted;
  options.schedule = services.schedule;
  options.watch_nan = services.watch_nan;
  return options;
}

namespace {

/// A call that was recorded, and what it is judged by.
struct RecordedCall {
  const Services& services;
  const CompiledFile& program;
  const Entry& entry;
  const Call& call;
  const Recording& recording;

  void judge(const Run& run, CaseResult& result) const {
    judge_run(entry, program.source, call, recording.plan, run, result);
  }
};

/// Absent: there is no GPU.
Result<std::optional<Run>> run_on_gpu(const RecordedCall& of, const ExecuteOptions& options) {
  const Services& services = of.services;
  const ModuleImage& module = of.program.artifact.module;
  if (!services.gpu_device) return std::optional<Run>();
  const auto by = services.gpu_device->address_range().begin - services.device->address_range().begin;
  auto run = [&]() -> Result<Run> {
    if (by == 0) return services.gpu_device->execute(of.recording.plan, module, of.call.buffers, options);
    const Call there = moved(of.call, by);
    const auto again = services.record(there.request);
    if (!again) return again.error();
    const auto* plan = std::get_if<Recording>(&again.value());
    if (!plan)
      return Error{ErrorKind::not_passed, "the host function does something else when it is called again",
                   "let it depend on its arguments alone"};
    return services.gpu_device->execute(plan->plan, module, there.buffers, options);
  }();
  if (!run) return run.error();
  return std::optional<Run>(std::move(run.value()));
}

/// What the run that decided leaves to be looked at.
void keep_outputs(const RecordedCall& of, Run& run, CaseResult& result) {
  if (!of.recording.output.empty())
    result.check.detail += "the host function printed:\n" + of.recording.output;
  const std::vector<const Tensor*>& tensors = of.call.tensors;
  for (std::size_t i = 0; i < tensors.size() && i < run.outputs.size(); ++i)
    if (tensors[i]->role != Role::in) {
      hide_overlooked(*tensors[i], run.outputs[i]);
      result.outputs.push_back(std::move(run.outputs[i]));
      result.written.push_back(run.written[i] != 0);
    }
}

/// Of kernels that the simulator refuses: the GPU's verdict alone.
CaseResult judge_on_gpu_alone(const RecordedCall& of, Run& measured, const std::string& refusal) {
  CaseResult result;
  of.judge(measured, result);
  result.executed = false;
  result.told_by_gpu = true;
  say_where(result.check, of.services.gpu_name, refusal);
  keep_outputs(of, measured, result);
  return result;
}

/// An answer that is right on the simulator must be right on the GPU too. False: it is not, and that is the
/// verdict.
bool is_confirmed(const RecordedCall& of, const Run& measured, CaseResult& result) {
  CaseResult there;
  of.judge(measured, there);
  if (there.check.outcome == Outcome::passed) {
    result.check.summary += fmt::format("; {:.1e} on the GPU", there.check.max_error.value_or(0));
    return true;
  }
  result.check = std::move(there.check);
  result.wrong_answer = there.wrong_answer;
  result.hopeless = there.hopeless;
  result.told_by_gpu = true;
  say_where(result.check, of.services.gpu_name, "the simulator finds nothing wrong");
  return false;
}

/// What the simulator ran; `measured`: the same on the GPU, where there is one and nothing went wrong before.
CaseResult judge_simulated(const RecordedCall& of, Run& run, Run* measured,
                           const std::vector<std::string>& names) {
  CaseResult result;
  name_kernels(run);
  if (measured != nullptr)
    for (std::size_t i = 0; i < run.launches.size() && i < measured->launches.size(); ++i)
      if (measured->launches[i].time.value) run.launches[i].time = measured->launches[i].time;
  result.launches = operations_of(of.recording.plan, run, of.call.buffers, names);
  result.metrics = metrics_of(result.launches, run.intermediate_bytes);
  of.judge(run, result);
  if (of.call.counted && result.executed && result.check.outcome == Outcome::passed)
    if (std::string unread = unread_input(of.call.tensors, result.launches); !unread.empty())
      result.check =
          failed(std::move(unread), "try: compute it from the tensors that the function is given\n");
  const bool confirmed =
      measured == nullptr || result.check.outcome != Outcome::passed || is_confirmed(of, *measured, result);
  keep_outputs(of, confirmed ? run : *measured, result);
  return result;
}

}  // namespace

Result<CaseResult> judge_call(const Services& services, const CompiledFile& program, const Entry& entry,
                              const Call& call, const RecordResult& recorded) {
  if (const auto* failure = std::get_if<RecordFailure>(&recorded)) return recording_failed(*failure);
  const Recording& recording = std::get<Recording>(recorded);
  const RecordedCall of{services, program, entry, call, recording};
  const ExecuteOptions options = options_for(services, program.source, entry, call, recording.plan);
  auto executed = services.device->execute(recording.plan, program.artifact.module, call.buffers, options);
  if (!executed) {
    // A kernel that the device refuses is the learner's to change; anything else is not.
    const Error& error = executed.error();
    if (error.kind != ErrorKind::not_passed) return error;
    if (!services.gpu_device) {
      CaseResult result;
      result.check = failed(error.what, error.remedy.empty() ? "" : "try: " + error.remedy + "\n");
      return result;
    }
  }
  std::optional<Run> measured;
  if (!executed || is_clean(recording.plan, executed.value())) {
    auto on_gpu = run_on_gpu(of, options);
    if (!on_gpu) return on_gpu.error();
    measured = std::move(on_gpu.value());
  }
  auto result = executed ? judge_simulated(of, executed.value(), measured ? &*measured : nullptr,
                                           options.intermediate_names)
                         : judge_on_gpu_alone(of, *measured, executed.error().what);
  result.bad_end = recording.bad_end;
  return result;
}

Result<CaseResult> run_call(const Services& services, const CompiledFile& program, std::size_t function,
                            const Entry& entry, const Problem& problem, bool counted,
                            std::uint64_t max_work) {
  auto call = prepare_call(services, program, function, entry, problem);
  if (!call) return call.error();
  call->counted = counted;
  call->max_work = max_work;
  const auto recorded = services.record(call->request);
  if (!recorded) return recorded.error();
  return judge_call(services, program, entry, call.value(), recorded.value());
}

}  // namespace fusebox
