#include "grader/judge/repair/repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "grader/judge/cases/both_devices.h"
#include "grader/judge/source/source_code.h"
#include "grader/judge/source/tokens.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

/// A changed kernel that takes so many times what it took before is taken for an endless loop. Learners'
/// small cases need a few thousand, but what was wrong may have left most of the work undone, or was endless
/// itself.
constexpr std::uint64_t kTimesAsMany = 8, kMinInstructions = 1 << 18, kMaxInstructions = 1 << 22;
/// The first case to try is the smallest wrong one in which being right is no accident.
constexpr std::int64_t kTellingElements = 64;
constexpr std::size_t kMaxRepairs = 2;
// Of a case that was made larger than any puzzle's, few edits are tried: each takes a second.
constexpr std::int64_t kManyElements = 4'000'000;
constexpr std::size_t kEditsOfMany = 4;

/// The cases of the learner's file, each recorded once.
class Trials {
 public:
  explicit Trials(const Suspect& suspect, std::uint64_t longest = 0)
      : suspect_(suspect), order_(in_order_of_trial(suspect)), longest_(longest) {}

  std::size_t count() const { return order_.size(); }
  std::int64_t elements_of_first() const {
    return order_.empty() ? 0 : elements_of(*order_.front()->problem);
  }

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

  /// Warp instructions of the first case without an edit, at least one.
  std::uint64_t work_of(const RecordedCase& first) {
    if (work_ > 0) return work_;
    if (const auto run = execute(first, first.recording()->plan, true, kMaxInstructions))
      for (const LaunchRecord& launch : run->launches) {
        work_ += launch.counters.warp_instructions;
        longest_ = std::max(longest_, launch.counters.warp_instructions);
      }
    return work_ = std::max<std::uint64_t>(work_, 1);
  }

 private:
  std::optional<RecordedCase> recorded(const CaseAnswer& answer) const {
    auto made = suspect_.record(*suspect_.student_program, answer);
    if (!made || !made->recording()) return std::nullopt;
    made->call.counted = false;
    return made;
  }

  Result<Run> execute(const RecordedCase& trial, const LaunchPlan& plan, bool counted,
                      std::uint64_t max_warp_instructions) const {
    ExecuteOptions options;
    options.races = false;
    options.counted = counted;
    options.max_warp_instructions = max_warp_instructions;
    return suspect_.services.device->execute(plan, suspect_.student_program->artifact.module,
                                             trial.call.buffers, options);
  }

  /// What a launch of it may take.
  std::uint64_t max_instructions(const RecordedCase& first) {
    if (longest_ == 0) work_of(first);
    return std::clamp(kTimesAsMany * longest_, kMinInstructions, kMaxInstructions);
  }

  /// Quickly: no more than the values, and not for long.
  bool outputs_are_right(const RecordedCase& trial, const LaunchPlan& plan) {
    const auto run = execute(trial, plan, false, max_instructions(trial));
    if (!run) return false;
    CaseResult result;
    judge_run(suspect_.entry, suspect_.student_program->source, trial.call, plan, *run, result);
    return result.check.outcome == Outcome::passed;
  }

  const Suspect& suspect_;
  std::vector<const CaseAnswer*> order_;
  std::vector<std::optional<RecordedCase>> trials_;
  std::uint64_t work_ = 0, longest_;  ///< 0: not known yet
};

}  // namespace

std::uint64_t work_of(const CaseAnswer& answer) {
  std::uint64_t work = 0;
  for (const LaunchRecord& launch : answer.result->launches) work += launch.counters.warp_instructions;
  return work;
}

std::uint64_t longest_launch_of(const CaseAnswer& answer) {
  std::uint64_t longest = 0;
  for (const LaunchRecord& launch : answer.result->launches)
    longest = std::max(longest, launch.counters.warp_instructions);
  return longest;
}

std::vector<const CaseAnswer*> in_order_of_trial(const Suspect& suspect) {
  std::vector<const CaseAnswer*> order;
  for (const CaseAnswer& answer : suspect.cases) order.push_back(&answer);
  const auto rank = [](const CaseAnswer* answer) {
    const std::int64_t elements = elements_of(*answer->problem);
    const bool failed = answer->result->check.outcome == Outcome::failed;
    return std::tuple(!failed, elements < kTellingElements, work_of(*answer), elements);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  for (const CaseAnswer& answer : suspect.untried) order.push_back(&answer);
  return order;
}

std::string sentence_of(const std::vector<Repair>& repairs) {
  std::vector<std::string> changes;
  changes.reserve(repairs.size());
  for (const Repair& repair : repairs) changes.push_back(repair.with);
  const bool drops =
      std::all_of(repairs.begin(), repairs.end(), [](const Repair& repair) { return repair.drops; });
  return fmt::format("With {}, every answer is right{}.", fmt::join(changes, ", or with "),
                     drops ? ": look there for what is wrong, something else may belong in its place" : "");
}

std::string evidence_of(const std::vector<Repair>& repairs) {
  return fmt::format("carried out with that change: right in {0} of {0} cases", repairs.front().cases);
}

bool launches_kernels(const Blank& blank) {
  return blank.body.find("<<<") != std::string::npos || blank.body.find("cudaLaunch") != std::string::npos;
}

namespace {

/// The statements of a text that launch kernels, without the space in them, by the kernel's name.
std::map<std::string, std::set<std::string>> launch_statements(const std::string& text) {
  const std::string code = code_of(text);
  const std::vector<Token> tokens = tokens_of(code);
  const auto ends = [](const Token& token) { return token.is(";") || token.is("{") || token.is("}"); };
  std::map<std::string, std::set<std::string>> statements;
  for (auto at = tokens.begin(); at != tokens.end(); ++at) {
    if (!at->is("<<<") || at == tokens.begin()) continue;
    auto begin = at;
    while (begin != tokens.begin() && !ends(*std::prev(begin))) --begin;
    const auto end = std::find_if(at, tokens.end(), ends);
    std::string statement;
    for (auto token = begin; token != end; ++token) statement += token->text;
    statements[std::string(std::prev(at)->text)].insert(std::move(statement));
  }
  return statements;
}

/// Whether a change is of a kernel all of whose launches are written as in the reference.
bool is_of_given_launch(const Repair& repair, const std::string& student, const std::string& reference) {
  const auto own = launch_statements(student), given = launch_statements(reference);
  for (const auto& [kernel, statements] : own) {
    if (repair.with.find(fmt::format("`{}`", kernel)) == std::string::npos) continue;
    const auto known = given.find(kernel);
    return known != given.end() &&
           std::includes(known->second.begin(), known->second.end(), statements.begin(), statements.end());
  }
  return false;
}

}  // namespace

void drop_accidents(const std::string& student, const std::string& reference,
                    const std::vector<BlankTrial>& trials, std::vector<Repair>& repairs) {
  std::erase_if(repairs, [&](const Repair& repair) {
    return repair.replaces && is_of_given_launch(repair, student, reference);
  });
  const auto blanks = find_blanks(student);
  if (!blanks) return;
  bool in_kernels = false;
  for (const BlankTrial& trial : trials) {
    if (trial.verdict != BlankTrial::Verdict::wrong) continue;
    for (const Blank& blank : *blanks) {
      if (blank.name != trial.blank) continue;
      if (launches_kernels(blank)) return;
      in_kernels = true;
    }
  }
  if (in_kernels) std::erase_if(repairs, [](const Repair& repair) { return repair.replaces; });
}

std::vector<std::size_t> edits_that_mend(const Suspect& suspect, const std::vector<PlanEdit>& edits,
                                         const TrialLimits& limits) {
  std::vector<std::size_t> found;
  Trials trials(suspect, limits.longest);
  const std::size_t cases = std::min(limits.cases, trials.count());
  const RecordedCase* first = trials.at(0);
  if (!first) return found;
  std::uint64_t affordable =
      limits.work == TrialLimits::kAny ? edits.size() : limits.work / trials.work_of(*first);
  if (trials.elements_of_first() > kManyElements) affordable = std::min(affordable, kEditsOfMany);
  for (std::size_t e = 0; e < edits.size() && e < affordable && found.size() < limits.enough; ++e) {
    std::size_t i = 0;
    while (i < cases && trials.is_right(edits[e], i)) ++i;
    if (i == cases) found.push_back(e);
  }
  return found;
}

namespace {

/// The same on both devices, every second one on each.
std::vector<std::size_t> edits_that_mend_on_both(const Suspect& suspect, const std::vector<PlanEdit>& edits) {
  std::vector<std::size_t> found[2];
  on_both_devices(suspect.services, 2, [&](std::size_t half, const Services& own) {
    Suspect alone = suspect;
    alone.services = own;
    std::vector<PlanEdit> mine;
    for (std::size_t e = half; e < edits.size(); e += 2) mine.push_back(edits[e]);
    for (const std::size_t e : edits_that_mend(alone, mine)) found[half].push_back(2 * e + half);
  });
  std::vector<std::size_t> all;
  std::merge(found[0].begin(), found[0].end(), found[1].begin(), found[1].end(), std::back_inserter(all));
  return all;
}

}  // namespace

bool can_be_repaired(const Suspect& suspect) {
  return suspect.patterns && suspect.student_program && !suspect.services.gpu_device &&
         !suspect.cases.empty();
}

std::vector<Repair> find_repairs(const Suspect& suspect) {
  if (!can_be_repaired(suspect)) return {};
  Trials first(suspect);
  const RecordedCase* telling = first.at(0);
  if (!telling) return {};
  const std::vector<PlanEdit> edits = edits_of_plan(suspect, telling->recording()->plan, telling->call);
  const std::vector<std::size_t> mending = edits_that_mend_on_both(suspect, edits);

  const bool alone =
      std::any_of(mending.begin(), mending.end(), [&](std::size_t e) { return !edits[e].does_more; });
  std::vector<Repair> found;
  std::set<PlanEdit::Family> families;
  for (const std::size_t e : mending) {
    if (alone && edits[e].does_more) continue;
    if (edits[e].family != PlanEdit::Family::none && !families.insert(edits[e].family).second) continue;
    Repair repair{edits[e].with(telling->recording()->plan), suspect.count(), edits[e].replaces};
    // Another kernel may go around what is wrong in the one that was chosen.
    repair.chooses = repair.drops = edits[e].chooses;
    repair.resizes = edits[e].resizes;
    const bool said = std::any_of(found.begin(), found.end(),
                                  [&](const Repair& other) { return other.with == repair.with; });
    if (!said) found.push_back(std::move(repair));
  }
  if (found.size() > kMaxRepairs) found.clear();
  return found;
}

}  // namespace fusebox
