#include "grader/judge/cause/repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "grader/judge/cases/both_devices.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

/// Beyond it a changed kernel is taken for an endless loop; learners' small cases need a few thousand.
constexpr std::uint64_t kMaxRepairInstructions = 1 << 18;
/// The first case to try is the smallest wrong one in which being right is no accident.
constexpr std::int64_t kTellingElements = 64;
constexpr std::size_t kMaxRepairs = 2;

/// The cases of the learner's file, each recorded once.
class Trials {
 public:
  explicit Trials(const Suspect& suspect) : suspect_(suspect) {
    for (const CaseAnswer& answer : suspect.cases) order_.push_back(&answer);
    // What was wrong comes first, and of that a case that is neither large nor right by accident.
    const auto rank = [](const CaseAnswer* answer) {
      const std::int64_t elements = elements_of(*answer->problem);
      const bool failed = answer->result->check.outcome == Outcome::failed;
      return std::tuple(!failed, elements < kTellingElements, elements);
    };
    std::stable_sort(order_.begin(), order_.end(),
                     [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  }

  std::size_t count() const { return order_.size(); }

  /// The i-th in order; null where the host function does not come to its end.
  const RecordedCase* at(std::size_t i) {
    while (trials_.size() <= i) trials_.push_back(recorded(*order_[trials_.size()]));
    return trials_[i] ? &*trials_[i] : nullptr;
  }

  bool is_right(const PlanEdit& edit, std::size_t i) {
    const RecordedCase* trial = at(i);
    if (!trial) return false;
    Recording recording = *trial->recording();
    // What changes nothing in the first case, which is wrong, mends nothing.
    if (!edit.change(recording.plan, trial->call) && i == 0) return false;
    if (i == 0 && !outputs_are_right(*trial, recording.plan)) return false;
    const auto result = judge_call(suspect_.services, *suspect_.student_program, suspect_.entry, trial->call,
                                   RecordResult(std::move(recording)));
    return result && result->check.outcome == Outcome::passed;
  }

 private:
  std::optional<RecordedCase> recorded(const CaseAnswer& answer) const {
    auto made = suspect_.record(*suspect_.student_program, answer);
    if (!made || !made->recording()) return std::nullopt;
    made->call.counted = false;
    return made;
  }

  /// Quickly: no more than the values, and not for long.
  bool outputs_are_right(const RecordedCase& trial, const LaunchPlan& plan) const {
    const CompiledFile& program = *suspect_.student_program;
    ExecuteOptions options;
    options.races = false;
    options.max_warp_instructions = kMaxRepairInstructions;
    const auto run =
        suspect_.services.device->execute(plan, program.artifact.module, trial.call.buffers, options);
    if (!run) return false;
    CaseResult result;
    judge_run(suspect_.entry, program.source, trial.call, plan, *run, result);
    return result.check.outcome == Outcome::passed;
  }

  const Suspect& suspect_;
  std::vector<const CaseAnswer*> order_;
  std::vector<std::optional<RecordedCase>> trials_;
};

}  // namespace

std::string sentence_of(const std::vector<Repair>& repairs) {
  std::vector<std::string> changes;
  changes.reserve(repairs.size());
  for (const Repair& repair : repairs) changes.push_back(repair.with);
  return fmt::format("With {}, every answer is right.", fmt::join(changes, ", or with "));
}

std::string evidence_of(const std::vector<Repair>& repairs) {
  return fmt::format("carried out with that change: right in {0} of {0} cases", repairs.front().cases);
}

void drop_accidents(const std::string& student, const std::vector<BlankTrial>& trials,
                    std::vector<Repair>& repairs) {
  const auto blanks = find_blanks(student);
  if (!blanks) return;
  bool in_kernels = false;
  for (const BlankTrial& trial : trials) {
    if (trial.verdict != BlankTrial::Verdict::wrong) continue;
    for (const Blank& blank : *blanks) {
      if (blank.name != trial.blank) continue;
      if (blank.body.find("<<<") != std::string::npos || blank.body.find("cudaLaunch") != std::string::npos)
        return;
      in_kernels = true;
    }
  }
  if (in_kernels) std::erase_if(repairs, [](const Repair& repair) { return repair.replaces; });
}

std::vector<Repair> find_repairs(const Suspect& suspect) {
  if (!suspect.patterns || !suspect.student_program || suspect.services.gpu_device) return {};
  if (suspect.cases.empty()) return {};
  Trials first(suspect);
  const RecordedCase* telling = first.at(0);
  if (!telling) return {};
  const std::vector<PlanEdit> edits = edits_of_plan(suspect, telling->recording()->plan);

  // Every second one on each device, which has the cases for itself.
  std::vector<char> mends(edits.size());
  on_both_devices(suspect.services, 2, [&](std::size_t half, const Services& own) {
    Suspect alone = suspect;
    alone.services = own;
    Trials trials(alone);
    for (std::size_t e = half; e < edits.size(); e += 2) {
      std::size_t i = 0;
      while (i < trials.count() && trials.is_right(edits[e], i)) ++i;
      mends[e] = i == trials.count();
    }
  });
  std::vector<Repair> found;
  const auto enough = [&](std::size_t e) { return mends[e] && !edits[e].does_more; };
  bool alone = false;
  for (std::size_t e = 0; e < edits.size(); ++e) alone |= enough(e);
  for (std::size_t e = 0; e < edits.size(); ++e) {
    if (!(alone ? enough(e) : mends[e] != 0)) continue;
    Repair repair{edits[e].with(telling->recording()->plan), suspect.cases.size(), edits[e].replaces};
    const bool said = std::any_of(found.begin(), found.end(),
                                  [&](const Repair& other) { return other.with == repair.with; });
    if (!said) found.push_back(std::move(repair));
  }
  if (found.size() > kMaxRepairs) found.clear();
  return found;
}

}  // namespace fusebox
