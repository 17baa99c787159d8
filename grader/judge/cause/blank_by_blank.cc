#include "grader/judge/cause/blank_by_blank.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "grader/judge/cause/cause.h"
#include "grader/judge/cause/sentences.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

/// More are a file that was never run.
constexpr std::size_t kMaxBlanks = 3;

/// The line of a text that a blank begins in; 0: it has none of that name.
int line_of_blank(const std::string& text, const std::string& name) {
  const auto blanks = find_blanks(text);
  if (!blanks) return 0;
  const auto blank =
      std::find_if(blanks->begin(), blanks->end(), [&](const Blank& each) { return each.name == name; });
  return blank == blanks->end() ? 0 : blank->first_line;
}

/// What is wrong with the reference that has this blank of the learner's; empty where it is not known.
std::string cause_alone(const Suspect& suspect, const std::string& blank, const CompiledFile& program) {
  std::vector<CaseResult> results;
  std::vector<CaseAnswer> cases;
  results.reserve(suspect.cases.size());
  for (const CaseAnswer& answer : suspect.cases) {
    auto result = suspect.run(program, answer);
    if (!result) return {};
    results.push_back(std::move(*result));
    cases.push_back({answer.which, answer.problem, &results.back()});
  }
  Entry entry = suspect.entry;
  entry.blanks = {blank};
  Suspect alone{suspect.puzzle,    entry,
                program.source,    &program,
                suspect.reference, suspect.reference_program,
                suspect.mutants,   std::move(cases),
                suspect.services,  suspect.patterns};
  alone.line_shift = line_of_blank(suspect.student.text, blank) - line_of_blank(program.source.text, blank);
  const Findings findings = find_cause(alone, {});
  return findings.cause && findings.is_proven ? findings.cause->sentence : "";
}

}  // namespace

std::string what_is_wrong_with_each(const Suspect& suspect, const std::vector<BlankTrial>& trials,
                                    const std::vector<std::optional<CompiledFile>>& programs) {
  if (!suspect.patterns || suspect.services.gpu_device) return {};
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].verdict == BlankTrial::Verdict::unknown) return {};
    if (trials[i].verdict == BlankTrial::Verdict::wrong) wrong.push_back(i);
  }
  if (wrong.size() < 2 || wrong.size() > kMaxBlanks) return {};
  std::vector<std::string> said;
  for (const std::size_t i : wrong) {
    const std::string cause = cause_alone(suspect, trials[i].blank, *programs[i]);
    if (cause.empty()) return {};
    said.push_back(fmt::format("in `{}`: {}", trials[i].blank, lower_first(without_stop(cause))));
  }
  return fmt::format("{} blanks are wrong, each tried alone in the solution: {}.",
                     wrong.size() == 2 ? "Two" : "Three", fmt::join(said, "; "));
}

}  // namespace fusebox
