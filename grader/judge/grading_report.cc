#include <fmt/format.h>

#include <algorithm>

#include "grader/judge/grading.h"
#include "grader/judge/metrics.h"
#include "grader/judge/verdict.h"

namespace fusebox {

SideRun Grading::side_run(const CaseResult& result) const {
  const Case& counted = puzzle_.counted_case();
  std::string sizes;
  for (const auto& [name, size] : counted.sizes)
    sizes += fmt::format("{}{}{}", sizes.empty() ? "" : " ", name, size);
  return {result.metrics, result.launches, sizes.empty() ? counted.name : sizes};
}

Report Grading::title() const {
  Report report;
  report.puzzle = puzzle_.id;
  report.slug = puzzle_.slug;
  report.title = puzzle_.title;
  report.file = options_.file.string();
  report.file_sha256 = sha256_;
  report.side = "student";
  report.device = options_.device;
  report.seed = options_.seed;
  return report;
}

Report Grading::report() {
  Report report = title();
  report.compiler_messages = compiler_messages_;

  for (const Entry* entry : entries_) {
    EntryState& state = states_[entry->name];
    if (state.checks.empty()) continue;
    EntryReport out;
    out.entry = entry->name;
    out.checks = state.checks;
    out.outcome = outcome_of(state.checks);
    const auto counted = state.cases.find(puzzle_.counted_case().name);
    const CaseResult* mine =
        counted != state.cases.end() && counted->second.executed ? &counted->second : nullptr;
    const CaseResult* theirs = file_check_.outcome == Outcome::passed ? reference_run(*entry) : nullptr;
    if (mine) out.student = side_run(*mine);
    if (theirs) out.reference = side_run(*theirs);
    out.budgets = check_budgets(
        entry->budgets, mine ? std::span<const Metric>(mine->metrics) : std::span<const Metric>{},
        theirs ? std::span<const Metric>(theirs->metrics) : std::span<const Metric>{});
    if (out.outcome == Outcome::failed && options_.explain) {
      Findings findings = cause_of(*entry, out);
      out.cause = std::move(findings.cause);
      out.blanks = std::move(findings.blanks);
    }
    report.entries.push_back(std::move(out));
  }
  conclude(report, puzzle_);
  std::size_t possible = 0, done = 0;
  for (const Entry& entry : puzzle_.entries) {
    possible += 3 + puzzle_.cases.size() + entry.budgets.size();
    done += states_[entry.name].checks.size();
  }
  if (report.verdict == Outcome::passed && done < possible)
    report.verdict_text =
        fmt::format("What was asked for passed: {} of {} checks of {}.", done, possible, puzzle_.id);
  problems_.clear();
  return report;
}

}  // namespace fusebox
