#include "grader/judge/repair/text_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "grader/judge/cases/both_devices.h"
#include "grader/judge/cases/other_device_code.h"
#include "grader/judge/repair/text_edit.h"
#include "grader/judge/source/source_code.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

/// So many are compiled together: more make the kernel slower, fewer wait for the compiler more often.
constexpr std::size_t kEditsTogether = 512;
/// Of each likelihood no more are tried, and of those that are compiled together as many as take so many warp
/// instructions on the first case.
constexpr std::size_t kMaxEdits = 1300;
constexpr std::uint64_t kMaxWork = 50'000'000;
/// A change that does not compile is left out, and what is left compiled again, so often.
constexpr int kMaxCompiles = 4;
constexpr std::size_t kMaxSaid = 2;
/// A kernel with hundreds of switches is slow: it is tried on so many cases, and what is right there is made
/// in the file itself and tried on all, so many changes at most.
constexpr std::size_t kCasesWithSwitches = 3, kMaxConfirmed = 8;

/// What the learner's host function launches in any case.
std::set<std::string> kernels_of(const Suspect& suspect) {
  std::set<std::string> kernels;
  for (const CaseAnswer& answer : suspect.cases)
    if (const auto recorded = suspect.record(*suspect.student_program, answer);
        recorded && recorded->recording())
      for (const PlanOp& op : recorded->recording()->plan.ops)
        if (const auto* launch = std::get_if<LaunchOp>(&op)) kernels.insert(launch->kernel);
  return kernels;
}

std::vector<LineRange> lines_of(const Suspect& suspect, const std::vector<std::string>& blanks) {
  std::vector<LineRange> lines;
  if (const auto found = find_blanks(suspect.student.text))
    for (const Blank& blank : *found) {
      const auto& names = blanks.empty() ? suspect.entry.blanks : blanks;
      if (std::find(names.begin(), names.end(), blank.name) != names.end())
        lines.push_back({blank.first_line, blank.last_line});
    }
  if (lines.empty())
    lines.push_back(
        {1,
         static_cast<int>(std::count(suspect.student.text.begin(), suspect.student.text.end(), '\n')) + 1});
  return lines;
}

/// The learner's file with a switch for each edit that compiles; `keep` says which those are.
std::optional<CompiledFile> compile_switched(const Suspect& suspect, std::span<const TextEdit> edits,
                                             std::vector<bool>& keep) {
  for (int round = 0; round < kMaxCompiles; ++round) {
    const SwitchedText switched = with_switches(suspect.student.text, edits, keep);
    const SourceFile source{suspect.student.path, switched.text};
    auto compiled = with_device_code(suspect.services, *suspect.student_program, source);
    if (!compiled) return std::nullopt;
    if (auto* program = std::get_if<CompiledFile>(&compiled.value())) return std::move(*program);
    bool dropped = false;
    for (const Diagnostic& message : std::get<CompileFailure>(*compiled).diagnostics) {
      const auto line = static_cast<std::size_t>(message.line);
      if (message.severity != "error" || line == 0 || line > switched.edits_of_line.size()) continue;
      for (const std::size_t edit : switched.edits_of_line[line - 1]) keep[edit - 1] = false, dropped = true;
    }
    if (!dropped) return std::nullopt;
  }
  return std::nullopt;
}

/// Sets the switch before anything else is done.
void set_switch(LaunchPlan& plan, std::uint32_t value) {
  CopyOp copy;
  copy.bytes = sizeof(value);
  copy.symbol = kEditSwitch;
  copy.host_bytes.resize(sizeof(value));
  std::memcpy(copy.host_bytes.data(), &value, sizeof(value));
  plan.ops.insert(plan.ops.begin(), std::move(copy));
  if (plan.order.empty()) return;
  for (OpOrder& order : plan.order)
    for (std::uint32_t& before : order.after) ++before;
  for (OpOrder& order : plan.order) order.after.push_back(0);
  plan.order.insert(plan.order.begin(), OpOrder{OpOrder::kHost, {}});
}

/// Whether every case is right of the file in which this edit is made.
bool mends(const Suspect& suspect, const TextEdit& edit) {
  const SourceFile source{suspect.student.path, with_edit(suspect.student.text, edit)};
  const auto compiled = with_device_code(suspect.services, *suspect.student_program, source);
  const auto* program = compiled ? std::get_if<CompiledFile>(&compiled.value()) : nullptr;
  if (!program) return false;
  return std::all_of(suspect.cases.begin(), suspect.cases.end(), [&](const CaseAnswer& answer) {
    const auto result = suspect.run(*program, answer);
    return result && result->check.outcome == Outcome::passed;
  });
}

/// Those of `edits` with which the first cases are right: compiled together, tried on the suspect's first
/// device.
std::vector<TextEdit> promising(const Suspect& suspect, std::span<const TextEdit> edits) {
  std::vector<bool> keep(edits.size(), true);
  const auto program = compile_switched(suspect, edits, keep);
  if (!program) return {};
  std::vector<PlanEdit> tried;
  std::vector<std::size_t> which;
  for (std::size_t e = 0; e < edits.size(); ++e) {
    if (!keep[e]) continue;
    PlanEdit one;
    one.change = [value = static_cast<std::uint32_t>(e + 1)](LaunchPlan& plan, const Call&) {
      set_switch(plan, value);
      return true;
    };
    tried.push_back(std::move(one));
    which.push_back(e);
  }
  Suspect switched = suspect;
  switched.student_program = &*program;
  std::vector<TextEdit> found;
  for (const std::size_t m : edits_that_mend(switched, tried, {kCasesWithSwitches, kMaxWork}))
    found.push_back(edits[which[m]]);
  return found;
}

/// Those of `edits` that mend every case, said.
std::vector<Repair> repairs_among(const Suspect& suspect, std::span<const TextEdit> edits) {
  const std::size_t count = (edits.size() + kEditsTogether - 1) / kEditsTogether;
  std::vector<std::vector<TextEdit>> parts(count);
  on_both_devices(suspect.services, count, [&](std::size_t i, const Services& own) {
    Suspect alone = suspect;
    alone.services = own;
    const std::size_t begin = i * kEditsTogether;
    parts[i] = promising(alone, edits.subspan(begin, std::min(kEditsTogether, edits.size() - begin)));
  });
  std::vector<Repair> found;
  std::size_t confirmed = 0;
  for (const auto& part : parts)
    for (const TextEdit& edit : part) {
      if (found.size() == kMaxSaid || ++confirmed > kMaxConfirmed) return found;
      // Of one line the first says it.
      const bool said = std::any_of(found.begin(), found.end(),
                                    [&](const Repair& repair) { return repair.line == edit.line; });
      if (!said && mends(suspect, edit))
        found.push_back({fmt::format("{} in line {}", edit.says, edit.line), suspect.cases.size(), false,
                         edit.line, edit.likelihood == TextEdit::Likelihood::by_accident});
    }
  return found;
}

}  // namespace

std::vector<Repair> find_text_repairs(const Suspect& suspect, const std::vector<std::string>& blanks) {
  if (!can_be_repaired(suspect) || !suspect.services.compile) return {};
  const std::string code = code_of(suspect.student.text);
  const std::vector<TextEdit> all = edits_of_text(code, lines_of(suspect, blanks), kernels_of(suspect));
  using Likelihood = TextEdit::Likelihood;
  for (const Likelihood likelihood : {Likelihood::likely, Likelihood::seldom, Likelihood::by_accident}) {
    std::vector<TextEdit> edits;
    for (const TextEdit& edit : all)
      if (edit.likelihood == likelihood && edits.size() < kMaxEdits) edits.push_back(edit);
    if (auto repairs = repairs_among(suspect, edits); !repairs.empty()) return repairs;
    // Of so much code the likely ones are all that there is time for.
    if (edits.size() == kMaxEdits) return {};
  }
  return {};
}

}  // namespace fusebox
