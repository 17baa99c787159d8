#include "grader/judge/cause.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <future>

#include "grader/judge/cost.h"
#include "grader/judge/fault_line.h"
#include "grader/judge/fault_order.h"
#include "grader/judge/outputs.h"
#include "grader/judge/patterns/find.h"
#include "grader/judge/patterns/from_problem.h"
#include "grader/judge/repair.h"
#include "grader/judge/row_past_end.h"
#include "grader/judge/tensor_bytes.h"
#include "grader/report/fault_key.h"
#include "grader/report/format.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

/// The same of the buffer that the first wrong launch leaves.
patterns::WrongCase wrong_case_of(const WrongLaunch& launch, const CaseAnswer& answer) {
  auto wrong =
      patterns::wrong_output(*answer.problem, answer.which->sizes, launch.tensor, launch.got, launch.written);
  wrong.launches = launches_of(*answer.result);
  // A buffer of the plan's own has no shape; where it is as large as a tensor, it is laid out as that.
  for (const patterns::NamedTensor& other : wrong.others)
    if (wrong.tensor.shape.size() == 1 && other.values.size() == wrong.got.size())
      wrong.tensor.shape = other.shape;
  return {answer.which->name, std::move(wrong)};
}

/// "`a` and `b`"
std::string both(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return text;
}

std::vector<std::string> blanks_that_are(const std::vector<BlankTrial>& trials, BlankTrial::Verdict verdict) {
  std::vector<std::string> names;
  for (const BlankTrial& trial : trials)
    if (trial.verdict == verdict) names.push_back(trial.blank);
  return names;
}

/// What the trials say of where the mistake is; empty when they say nothing.
std::string where(const std::vector<BlankTrial>& trials) {
  const auto wrong = blanks_that_are(trials, BlankTrial::Verdict::wrong);
  const auto right = blanks_that_are(trials, BlankTrial::Verdict::right);
  if (!wrong.empty())
    return fmt::format("{} {} {} wrong by {}", wrong.size() == 1 ? "Blank" : "Blanks", both(wrong),
                       wrong.size() == 1 ? "is" : "are", wrong.size() == 1 ? "itself" : "themselves");
  if (!right.empty() && right.size() == trials.size())
    return fmt::format(
        "Each blank is right by itself: {} work in the reference, so what stands around them, or how they fit together, is not",
        both(right));
  return {};
}

std::string lower_first(std::string sentence) {
  if (sentence.size() > 1 && std::isupper(static_cast<unsigned char>(sentence[0])) != 0 &&
      std::islower(static_cast<unsigned char>(sentence[1])) != 0)
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

std::string without_stop(std::string sentence) {
  while (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

/// Lines of a compiler or of what a host function printed that are shown.
constexpr std::size_t kMaxLines = 12;

/// The bare numbers of the first wrong case.
std::string bare(const std::vector<Check>& checks) {
  for (const Check& check : checks)
    if (check.outcome == Outcome::failed) return fmt::format("{}: {}", check.name, check.summary);
  return "It did not pass.";
}

/// In which blank a known mistake is: its own, unless that blank of the learner's is right by itself. Then
/// the answers are the mistake's, and it was made elsewhere. Empty where that cannot be told.
std::string blank_of_mistake(const std::string& own, const std::vector<BlankTrial>& trials) {
  const auto right = blanks_that_are(trials, BlankTrial::Verdict::right);
  if (std::find(right.begin(), right.end(), own) == right.end()) return own;
  const auto wrong = blanks_that_are(trials, BlankTrial::Verdict::wrong);
  return wrong.size() == 1 ? wrong.front() : "";
}

bool has_blank(const SourceFile& file, const std::string& name) {
  const auto blanks = find_blanks(file.text);
  return blanks &&
         std::any_of(blanks->begin(), blanks->end(), [&](const Blank& b) { return b.name == name; });
}

Cause cause_of_mistakes(const std::vector<KnownMistake>& mistakes, std::size_t wrong, const Suspect& suspect,
                        const std::vector<BlankTrial>& trials) {
  std::vector<std::string> names;
  for (const KnownMistake& mistake : mistakes) {
    const std::string& says = mistake.mutant->says;
    if (std::find(names.begin(), names.end(), says) == names.end()) names.push_back(says);
  }
  Cause cause;
  const std::string& own = mistakes.front().mutant->blank;
  const std::string blank = blank_of_mistake(own, trials);
  cause.sentence =
      fmt::format("{} {}{}.", blank == own ? "This is" : "The answers are those of",
                  fmt::join(names, "; or "), names.size() > 1 ? ": the cases cannot tell which" : "");
  if (suspect.entry.blanks.size() > 1 && has_blank(suspect.student, blank))
    cause.sentence = fmt::format("In `{}`: {}", blank, lower_first(cause.sentence));
  cause.evidence =
      fmt::format("equal in {0} of {0} wrong cases, in {1} elements that are not the right answer", wrong,
                  mistakes.front().telling);
  return cause;
}

std::string say_launch(const WrongLaunch& launch) {
  return fmt::format(
      "Launch {} of {}, `{}`, is the first whose result is wrong: it leaves `{}` with {} of {} elements wrong",
      launch.index + 1, launch.count, launch.kernel, launch.tensor.name, launch.wrong, launch.tensor.count());
}

/// What the numbers of the wrong outputs prove, the most telling first.
std::vector<patterns::Explanation> patterns_of(const Suspect& suspect,
                                               const std::function<bool()>& is_named) {
  if (!suspect.patterns) return {};
  std::vector<patterns::WrongCase> cases;
  for (const CaseAnswer& answer : suspect.cases)
    if (answer.result->wrong_answer)
      for (OutputOfCase& of : outputs_of(suspect, answer))
        if (!of.right) cases.push_back({answer.which->name, std::move(of.output)});
  auto explained = patterns::explain(cases, is_named);
  // What one number a row says comes before what is made of it.
  const auto size_in = [&](const std::string& tensor) {
    for (const auto& each : cases)
      if (each.output.tensor.name == tensor) return each.output.tensor.count();
    return std::int64_t{0};
  };
  std::stable_sort(explained.begin(), explained.end(), [&](const auto& a, const auto& b) {
    return !a.patterns.empty() > !b.patterns.empty() ||
           (a.patterns.empty() == b.patterns.empty() && size_in(a.tensor) < size_in(b.tensor));
  });
  return explained;
}

/// A wrong answer without any fault.
Findings explain_answer(const Suspect& suspect, const std::vector<Check>& checks) {
  Findings findings;
  // None of the three hears of the others. Both that compile wait for a compiler.
  std::future<std::vector<patterns::Explanation>> explained_job;
  std::promise<bool> named;  // goes before the job that waits for it
  explained_job = std::async(std::launch::async, [&suspect, is_named = named.get_future().share()] {
    return patterns_of(suspect, [&] { return is_named.get(); });
  });
  auto blanks_job = std::async(std::launch::async, [&] { return compile_blanks(suspect); });
  const auto mistakes = known_mistakes(suspect);
  const auto formula = mistakes.empty() ? mistake_in_the_formula(suspect) : std::nullopt;
  named.set_value(!mistakes.empty() || formula);
  const auto trials = try_blanks(suspect, blanks_job.get());
  for (const BlankTrial& trial : trials)
    findings.blanks.push_back({trial.blank, trial.verdict == BlankTrial::Verdict::right   ? "right"
                                            : trial.verdict == BlankTrial::Verdict::wrong ? "wrong"
                                                                                          : "unknown"});
  const auto wrong = suspect.wrong();
  const auto explained = explained_job.get();

  Cause cause;
  std::vector<std::string> said;  // by the patterns of the outputs
  for (const auto& explanation : explained)
    for (const std::string& sentence : explanation.sentences)
      said.push_back(explanation.only_in.empty()
                         ? sentence
                         : fmt::format("In case {}: {}", explanation.only_in, lower_first(sentence)));
  if (!mistakes.empty()) {
    cause = cause_of_mistakes(mistakes, wrong.size(), suspect, trials);
    cause.details = said;
  } else {
    auto repairs = formula ? std::vector<Repair>() : find_repairs(suspect);
    drop_accidents(suspect.student.text, trials, repairs);
    // What mends all of it says where it is.
    const std::string place = repairs.empty() ? where(trials) : "";
    const auto launch = repairs.empty() ? first_wrong_launch(suspect) : std::nullopt;
    std::vector<std::string> of_launch;
    if (suspect.patterns && launch &&
        launch->tensor.name != (explained.empty() ? "" : explained.front().tensor)) {
      const auto inner = patterns::explain(std::vector{wrong_case_of(*launch, *telling_case(wrong))});
      for (const auto& explanation : inner)
        for (const std::string& sentence : explanation.sentences) of_launch.push_back(sentence);
    }
    std::vector<std::string> parts;
    if (!place.empty()) parts.push_back(place);
    if (launch) parts.push_back(say_launch(*launch));
    std::vector<std::string> what = of_launch.empty() ? said : of_launch;
    if (formula)
      what.insert(what.begin(), formula->sentence);
    else if (std::string coarse = repairs.empty() ? too_few_digits(suspect) : ""; !coarse.empty())
      what.insert(what.begin(), std::move(coarse));
    if (!what.empty()) parts.push_back(without_stop(what.front()));
    if (!repairs.empty()) parts.push_back(without_stop(sentence_of(repairs)));
    if (parts.empty()) parts.push_back(without_stop(bare(checks)));
    for (std::size_t i = 1; i < parts.size(); ++i) parts[i] = lower_first(parts[i]);
    cause.sentence = fmt::format("{}.", fmt::join(parts, "; "));
    for (std::size_t i = 1; i < what.size(); ++i) cause.details.push_back(what[i]);
    if (!of_launch.empty()) cause.details.insert(cause.details.end(), said.begin(), said.end());
    if (formula)
      cause.evidence = formula->evidence;
    else if (!repairs.empty())
      cause.evidence = evidence_of(repairs);
    else if (!explained.empty() && !explained.front().patterns.empty())
      cause.evidence = explained.front().patterns.front().evidence;
  }
  if (!explained.empty()) cause.corner = explained.front().corner;
  findings.cause = std::move(cause);
  return findings;
}

/// The fault that the others follow from, over all cases, and its case.
std::pair<const Fault*, const CaseAnswer*> first_fault(const Suspect& suspect) {
  std::vector<FaultSeen> seen;
  for (const CaseAnswer& answer : suspect.cases)
    for (std::size_t i = 0; i < answer.result->faults.size(); ++i)
      seen.push_back({answer.which->name, answer.result->fault_launches[i], &answer.result->faults[i]});
  const Fault* root = root_fault(seen);
  for (const CaseAnswer& answer : suspect.cases)
    for (const Fault& fault : answer.result->faults)
      if (&fault == root) return {root, &answer};
  return {nullptr, nullptr};
}

void show_line(Cause& cause, const SourceFile& source, int line) {
  cause.file = source.path.string();
  cause.line = line;
  const std::string text = source.line(line);
  cause.code = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

/// Of a value that nobody had written: which launch before should have, by what the reference's has written
/// there by then. Empty where that cannot be told.
std::string who_skips_it(const Suspect& suspect, const Fault& fault) {
  if (!is_one_of(fault, {FaultKey::uninitialised_read}) || !suspect.student_program) return {};
  // The largest case but for the counted one: its shape says most.
  std::vector<const CaseAnswer*> same;
  for (const CaseAnswer& answer : suspect.cases)
    for (const Fault& each : answer.result->faults)
      if (each.kind == fault.kind && each.kernel == fault.kernel && (same.empty() || same.back() != &answer))
        same.push_back(&answer);
  std::stable_sort(same.begin(), same.end(), [](const CaseAnswer* a, const CaseAnswer* b) {
    return elements_of(*a->problem) < elements_of(*b->problem);
  });
  if (same.empty()) return {};
  const CaseAnswer& chosen = *telling_case(same);
  const auto launch = first_wrong_launch(suspect, chosen);
  if (!launch) return {};
  const auto explained = patterns::explain(std::vector{wrong_case_of(*launch, chosen)});
  for (const auto& explanation : explained)
    for (const auto& pattern : explanation.patterns)
      if (pattern.kind == patterns::Kind::unwritten)
        return fmt::format(
            "Launch {} of {}, `{}`, leaves a part of `{}` unwritten, which is read later. In case {}: {}",
            launch->index + 1, launch->count, launch->kernel, launch->tensor.name, chosen.which->name,
            lower_first(pattern.sentence));
  return {};
}

Cause cause_of_fault(const Fault& fault, const CaseAnswer& answer, const SourceFile& source) {
  Cause cause;
  std::string what = fault.what + (fault.where.empty() ? "" : ", " + fault.where);
  const bool own_line =
      fault.line > 0 && std::filesystem::path(fault.file).filename() == source.path.filename();
  // An address far from everything says nothing; what the line indexes does.
  if (own_line && is_one_of(fault, {FaultKey::out_of_bounds}) && fault.where.find('`') == std::string::npos) {
    const bool writes = fault.what.find("store") != std::string::npos;
    const auto names = indexed_on(source.line(line_to_show(fault, source)), writes);
    if (!names.empty())
      what += fmt::format(", on a line that {} {} by an index", writes ? "writes" : "reads", both(names));
  }
  what = capitalised(std::move(what));
  cause.sentence =
      fmt::format("{}{}{}", without_stop(what), fault.hint.empty() ? "." : ": ", lower_first(fault.hint));
  if (!cause.sentence.ends_with('.')) cause.sentence += '.';
  if (!fault.kernel.empty())
    cause.evidence =
        fmt::format("case {}, {}, block ({}), thread ({}){}", answer.which->name, fault.kernel,
                    fmt::join(fault.block, ","), fmt::join(fault.thread, ","),
                    fault.count > 1 ? fmt::format("; {} threads did the same", fault.count) : "");
  if (own_line) show_line(cause, source, line_to_show(fault, source));
  return cause;
}

/// Why an address is outside, or leads to what nobody wrote: by the index that led there, or by what the same
/// mistake makes of the cases without a fault. Empty where neither is known.
std::string what_else_shows(const Suspect& suspect, const Fault& fault, const CaseAnswer& faulty) {
  const bool outside = is_one_of(fault, {FaultKey::out_of_bounds});
  if (!outside && !is_one_of(fault, {FaultKey::uninitialised_read})) return {};
  std::vector<const Problem*> without;
  for (const CaseAnswer& answer : suspect.cases)
    if (answer.result->faults.empty()) without.push_back(answer.problem.get());
  if (std::string row = outside ? row_past_end(fault, *faulty.problem, without) : ""; !row.empty())
    return row;
  if (suspect.wrong().empty()) return {};
  const auto formula = mistake_in_the_formula(suspect);
  if (!formula || !formula->reads_elsewhere) return {};
  return fmt::format("{}, {}", outside ? "Where nothing is read outside" : "In the cases without a fault",
                     formula->sentence);
}

/// A race or a missing barrier may go away with another launch, and is still what is wrong.
bool may_be_the_launch(const Fault& fault) {
  return is_one_of(fault, {FaultKey::out_of_bounds, FaultKey::misaligned, FaultKey::null_pointer,
                           FaultKey::uninitialised_read});
}

}  // namespace

Findings find_cause(const Suspect& suspect, const std::vector<Check>& checks) {
  if (const auto [fault, answer] = first_fault(suspect); fault) {
    Findings findings;
    Fault told = *fault;
    // What mends it says more than what such faults are mended by as a rule.
    if (may_be_the_launch(*fault)) {
      if (const auto repairs = find_repairs(suspect); !repairs.empty())
        told.hint = sentence_of(repairs);
      else if (std::string hint = what_else_shows(suspect, *fault, *answer); !hint.empty())
        told.hint = std::move(hint);
    }
    findings.cause = cause_of_fault(told, *answer, suspect.student);
    if (std::string skipped = who_skips_it(suspect, *fault); !skipped.empty()) {
      findings.cause->details.insert(findings.cause->details.begin(), findings.cause->sentence);
      findings.cause->sentence = std::move(skipped);
    }
    return findings;
  }
  if (suspect.wrong().empty()) return {};
  // A launch that was refused, or a host function that did not get to its end, comes before what it left
  // wrong.
  const auto is_refused = [](const CaseAnswer& answer) {
    return answer.result->check.outcome == Outcome::failed && !answer.result->wrong_answer;
  };
  const auto refused = std::find_if(suspect.cases.begin(), suspect.cases.end(), is_refused);
  if (refused != suspect.cases.end()) {
    Findings findings;
    findings.cause = cause_of_check(refused->result->check);
    const auto count = std::count_if(suspect.cases.begin(), suspect.cases.end(), is_refused);
    findings.cause->evidence =
        fmt::format("case {}; so in {} of {} cases", refused->which->name, count, suspect.cases.size());
    // Who launches in other cases knows how.
    const auto other = std::find_if(suspect.cases.begin(), suspect.cases.end(),
                                    [](const CaseAnswer& answer) { return answer.result->executed; });
    if (refused->result->no_kernel && other != suspect.cases.end())
      findings.cause->sentence = fmt::format(
          "{} in case {}, and it does in case {}: look at the condition or the count that leaves the first out.",
          refused->result->check.summary, refused->which->name, other->which->name);
    return findings;
  }
  return explain_answer(suspect, checks);
}

Cause cause_of_check(const Check& check) {
  Cause cause;
  const std::size_t advice = check.detail.find("try: ");
  std::string hint;
  if (advice != std::string::npos)
    hint = check.detail.substr(advice + 5, check.detail.find('\n', advice) - advice - 5);
  cause.sentence =
      without_stop(check.summary) + (hint.empty() ? "." : ": " + without_stop(lower_first(hint)) + ".");
  cause.sentence = capitalised(std::move(cause.sentence));
  std::string rest = check.detail;
  if (advice != std::string::npos) rest.erase(advice, check.detail.find('\n', advice) - advice + 1);
  for (std::size_t at = 0; at < rest.size() && cause.details.size() < kMaxLines;) {
    const std::size_t end = std::min(rest.find('\n', at), rest.size());
    if (end > at) cause.details.push_back(rest.substr(at, end - at));
    at = end + 1;
  }
  return cause;
}

Cause cause_of_cost(const BudgetLine& line, const SideRun& student, const SideRun* reference,
                    const SourceFile& source) {
  CostCause cost = explain_cost(line, student, reference);
  Cause cause;
  cause.sentence = std::move(cost.sentence);
  cause.details = std::move(cost.details);
  if (cost.line > 0) show_line(cause, source, cost.line);
  return cause;
}

}  // namespace fusebox
