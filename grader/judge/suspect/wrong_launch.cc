#include <algorithm>
#include <cmath>
#include <map>

#include "grader/judge/cases/mistakes.h"
#include "grader/judge/compare/compare.h"
#include "grader/judge/compare/tensor_bytes.h"
#include "grader/judge/source/allocation_names.h"
#include "grader/judge/suspect/suspect.h"
#include "grader/toolchain/messages.h"

// Of several launches, the first whose result is wrong: both plans are carried out launch by launch, with the
// buffers that they allocate handed to the device from outside, so that their contents come back.

namespace fusebox {
namespace {

/// A plan of one side, its own allocations turned into buffers.
struct OpenPlan {
  const CompiledFile* program = nullptr;
  Call call;
  LaunchPlan plan;              ///< without allocations and frees
  std::vector<Buffer> buffers;  ///< the call's, then the plan's own in order
  std::vector<std::string> kernels;
};

std::optional<OpenPlan> open_plan(const Suspect& suspect, const CompiledFile& program,
                                  const CaseAnswer& answer) {
  auto recorded = suspect.record(program, answer);
  const Recording* recording = recorded ? recorded->recording() : nullptr;
  if (!recording) return std::nullopt;
  OpenPlan open{&program, std::move(recorded->call), {}, {}, {}};
  open.buffers = open.call.buffers;
  const auto names = allocation_names(program.source, suspect.entry.signature.function, recording->plan,
                                      suspect.entry.intermediates);
  for (const PlanOp& op : recording->plan.ops) {
    if (const auto* alloc = std::get_if<AllocOp>(&op)) {
      const auto again = [&](const Buffer& buffer) { return buffer.address == alloc->address; };
      // An address that is used a second time would be two buffers at once.
      if (std::any_of(open.buffers.begin(), open.buffers.end(), again)) return std::nullopt;
      const std::size_t own = open.buffers.size() - open.call.buffers.size();
      open.buffers.push_back({own < names.size() ? names[own] : "buffer " + std::to_string(own + 1),
                              alloc->address,
                              alloc->bytes,
                              {}});
      continue;
    }
    if (std::holds_alternative<FreeOp>(op)) continue;
    if (const auto* launch = std::get_if<LaunchOp>(&op))
      open.kernels.push_back(as_if_alone(demangle_names(launch->kernel)));
    open.plan.ops.push_back(op);
  }
  return open;
}

/// The plan up to and with its launch number `last`.
LaunchPlan until(const LaunchPlan& plan, std::size_t last) {
  LaunchPlan part;
  std::size_t launches = 0;
  for (const PlanOp& op : plan.ops) {
    part.ops.push_back(op);
    if (std::holds_alternative<LaunchOp>(op) && launches++ == last) break;
  }
  return part;
}

std::optional<Run> run_until(const Suspect& suspect, const OpenPlan& open, std::size_t last) {
  ExecuteOptions options;
  options.races = false;
  auto run = suspect.services.device->execute(until(open.plan, last), open.program->artifact.module,
                                              open.buffers, options);
  if (!run) return std::nullopt;
  for (const LaunchRecord& launch : run->launches)
    if (!launch.faults.empty()) return std::nullopt;
  return std::move(*run);
}

/// Values of a buffer that holds floats, the reference's as the right ones. Rounding differs between two
/// right ways to compute, by far less than this share of the buffer's magnitude.
constexpr double kShare = 1e-4;
/// Fewer may be equal by accident.
constexpr std::size_t kTellingFloats = 8;
/// Launches are carried out anew up to each of them.
constexpr std::size_t kMaxLaunches = 16;

std::optional<WrongLaunch> compare_buffer(const Buffer& buffer, const Run& mine, const Run& theirs,
                                          std::size_t at, const Tensor* output) {
  WrongLaunch found;
  found.tensor.name = buffer.name;
  found.tensor.role = Role::out;
  const auto count = static_cast<std::int64_t>(buffer.bytes / sizeof(float));
  found.tensor.shape = output ? output->shape : std::vector<std::int64_t>{count};
  double squares = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (output && output->is_overlooked(i)) {
      found.written.push_back(true), found.got.push_back(0), found.tensor.expected.push_back(0);
      continue;
    }
    const auto element = [&](const Run& run) {
      return std::span(run.outputs[at]).subspan(static_cast<std::size_t>(i) * 4, 4);
    };
    const bool right = theirs.written[at] != 0 || !is_poison(element(theirs));
    found.written.push_back(mine.written[at] != 0 || !is_poison(element(mine)));
    found.got.push_back(decode(mine.outputs[at], i, DType::f32));
    found.tensor.expected.push_back(right ? decode(theirs.outputs[at], i, DType::f32) : found.got.back());
    if (std::isfinite(found.tensor.expected.back()))
      squares += found.tensor.expected.back() * found.tensor.expected.back();
    if (right != found.written.back()) ++found.wrong;
  }
  if (count == 0) return std::nullopt;
  found.tensor.tolerance = {kShare * std::sqrt(squares / static_cast<double>(count)), kShare, "rounding"};
  for (std::size_t i = 0; i < found.got.size(); ++i) {
    const double error = std::abs(found.got[i] - found.tensor.expected[i]);
    const double allowed = found.tensor.tolerance.absolute + kShare * std::abs(found.tensor.expected[i]);
    if (found.written[i] && !(error <= allowed)) ++found.wrong;
  }
  return found.wrong > 0 ? std::optional(std::move(found)) : std::nullopt;
}

/// What the plan's own buffers held before launch number `launch`.
std::vector<patterns::NamedTensor> own_buffers_before(const Suspect& suspect, const OpenPlan& open,
                                                      std::size_t launch) {
  std::vector<patterns::NamedTensor> buffers;
  const auto run = launch > 0 ? run_until(suspect, open, launch - 1) : std::nullopt;
  for (std::size_t i = open.call.buffers.size(); run && i < open.buffers.size(); ++i) {
    const auto count = static_cast<std::int64_t>(open.buffers[i].bytes / sizeof(float));
    patterns::NamedTensor& buffer = buffers.emplace_back();
    buffer.name = open.buffers[i].name, buffer.shape = {count};
    buffer.values.reserve(static_cast<std::size_t>(count));
    for (std::int64_t at = 0; at < count; ++at)
      buffer.values.push_back(decode(run->outputs[i], at, DType::f32));
  }
  return buffers;
}

/// Same kernels in the same order, by their demangled names; same buffers by size.
bool correspond(const OpenPlan& a, const OpenPlan& b) {
  if (a.kernels.size() < 2 || a.kernels != b.kernels || a.buffers.size() != b.buffers.size()) return false;
  for (std::size_t i = 0; i < a.buffers.size(); ++i)
    if (a.buffers[i].bytes != b.buffers[i].bytes) return false;
  return true;
}

/// Whether two buffers hold the same floats, not all of them equal, but for rounding.
bool hold_the_same(std::span<const std::byte> a, std::span<const std::byte> b) {
  if (a.size() != b.size() || a.size() % sizeof(float) != 0 || a.size() < kTellingFloats * sizeof(float))
    return false;
  const auto count = static_cast<std::int64_t>(a.size() / sizeof(float));
  double squares = 0, first = decode(b, 0, DType::f32);
  bool differ = false;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = decode(b, i, DType::f32);
    squares += value * value, differ = differ || value != first;
  }
  const double allowed = kShare * std::sqrt(squares / static_cast<double>(count));
  if (!differ || !std::isfinite(allowed)) return false;
  for (std::int64_t i = 0; i < count; ++i) {
    const double expected = decode(b, i, DType::f32);
    if (!(std::abs(decode(a, i, DType::f32) - expected) <= allowed + kShare * std::abs(expected)))
      return false;
  }
  return true;
}

using Contents = std::vector<std::vector<std::byte>>;  ///< of buffers

/// What each launch of a plan leaves in the buffers that it changes.
std::optional<std::vector<Contents>> left_by_launches(const Suspect& suspect, const OpenPlan& open) {
  std::vector<Contents> left;
  Contents before(open.buffers.size());
  for (std::size_t launch = 0; launch < open.kernels.size(); ++launch) {
    auto run = run_until(suspect, open, launch);
    if (!run) return std::nullopt;
    left.emplace_back();
    for (std::size_t i = 0; i < open.buffers.size(); ++i) {
      const Tensor* tensor = i < open.call.tensors.size() ? open.call.tensors[i] : nullptr;
      if ((tensor && tensor->role == Role::in) || run->outputs[i] == before[i]) continue;
      left.back().push_back(run->outputs[i]);
      before[i] = std::move(run->outputs[i]);
    }
  }
  return left;
}

}  // namespace

const CaseAnswer* telling_case(const std::vector<const CaseAnswer*>& wrong) {
  const CaseAnswer* chosen = wrong.back();
  for (const CaseAnswer* answer : wrong)
    if (!answer->which->counted) chosen = answer;
  return chosen;
}

std::optional<WrongLaunch> first_wrong_launch(const Suspect& suspect) {
  const auto wrong = suspect.wrong();
  if (wrong.empty()) return std::nullopt;
  return first_wrong_launch(suspect, *telling_case(wrong));
}

std::optional<WrongLaunch> first_wrong_launch(const Suspect& suspect, const CaseAnswer& chosen) {
  if (!suspect.student_program || !suspect.reference_program) return std::nullopt;
  const auto mine = open_plan(suspect, *suspect.student_program, chosen);
  const auto theirs = open_plan(suspect, *suspect.reference_program, chosen);
  if (!mine || !theirs || !correspond(*mine, *theirs)) return std::nullopt;
  for (std::size_t launch = 0; launch < mine->kernels.size(); ++launch) {
    const auto a = run_until(suspect, *mine, launch), b = run_until(suspect, *theirs, launch);
    if (!a || !b) return std::nullopt;
    for (std::size_t i = 0; i < mine->buffers.size(); ++i) {
      const Tensor* tensor = i < mine->call.tensors.size() ? mine->call.tensors[i] : nullptr;
      if (tensor && (tensor->role == Role::in || tensor->dtype != DType::f32)) continue;
      auto found = compare_buffer(mine->buffers[i], *a, *b, i, tensor);
      if (!found) continue;
      found->index = launch;
      found->count = mine->kernels.size();
      found->kernel = as_if_alone(a->launches[launch].kernel);
      found->before = own_buffers_before(suspect, *mine, launch);
      return found;
    }
  }
  return std::nullopt;
}

std::string first_kernel_behind_right_ones(const Suspect& suspect) {
  const auto wrong = suspect.wrong();
  if (wrong.empty() || !suspect.student_program || !suspect.reference_program) return {};
  const CaseAnswer& chosen = *telling_case(wrong);
  const auto mine = open_plan(suspect, *suspect.student_program, chosen);
  const auto theirs = open_plan(suspect, *suspect.reference_program, chosen);
  if (!mine || !theirs || mine->kernels.size() < 2 || theirs->kernels.size() < 2 ||
      mine->kernels.size() + theirs->kernels.size() > 2 * kMaxLaunches)
    return {};
  const auto own = left_by_launches(suspect, *mine), right = left_by_launches(suspect, *theirs);
  if (!own || !right) return {};
  const auto is_right = [&](const std::vector<std::byte>& buffer) {
    return std::any_of(right->begin(), right->end(), [&](const auto& of_launch) {
      return std::any_of(of_launch.begin(), of_launch.end(),
                         [&](const auto& other) { return hold_the_same(buffer, other); });
    });
  };
  for (std::size_t launch = own->size(); launch-- > 0;)
    if (std::any_of((*own)[launch].begin(), (*own)[launch].end(), is_right))
      return launch + 1 < own->size() ? mine->kernels[launch + 1] : "";
  return {};
}

}  // namespace fusebox
