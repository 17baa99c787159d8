#include <fmt/format.h>

#include <algorithm>

#include "grader/judge/budgets/budgets.h"
#include "grader/judge/budgets/meaning.h"
#include "grader/judge/grading.h"
#include "grader/judge/verdict.h"

namespace fusebox {

SideRun Grading::side_run(const CaseResult& result) const {
  const Case& counted = puzzle_.counted_case();
  return {result.metrics, result.launches, shape_of(counted)};
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

std::string Grading::bad_end() const {
  for (const auto& [name, state] : states_)
    for (const auto& [which, result] : state.cases)
      if (!result.bad_end.empty()) return result.bad_end;
  return {};
}

namespace {

/// "p20 fused: 6 of 20 cases fail": what is known while the cause is looked for.
std::string known_so_far(const Puzzle& puzzle, const EntryReport& entry) {
  std::size_t cases = 0, failed = 0;
  for (const Check& check : entry.checks) {
    if (!check.name.starts_with("case ")) continue;
    ++cases;
    if (check.outcome == Outcome::failed) ++failed;
  }
  std::string name = fmt::format("{} {}", puzzle.id, entry.entry);
  if (failed == 0) return name;
  return fmt::format("{}: {} of {} cases {}", name, failed, cases, failed == 1 ? "fails" : "fail");
}

}  // namespace

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
    const bool compared = options_.reference_use == ReferenceUse::always || out.outcome == Outcome::failed;
    const CaseResult* theirs =
        compared && file_check_.outcome == Outcome::passed ? reference_run(*entry) : nullptr;
    if (mine) out.student = side_run(*mine);
    if (theirs) out.reference = side_run(*theirs);
    out.budgets = check_budgets(
        known_limits(*entry), mine ? std::span<const Metric>(mine->metrics) : std::span<const Metric>{},
        theirs ? std::span<const Metric>(theirs->metrics) : std::span<const Metric>{});
    if (out.outcome == Outcome::failed && options_.explain) {
      const auto step = [&, known = known_so_far(puzzle_, out)](const std::string& what) {
        options_.progress(fmt::format("{}, {} ...", known, what));
      };
      step("looking for the cause");
      Findings findings = cause_of(*entry, out, step);
      options_.progress("");
      out.cause = std::move(findings.cause);
      out.blanks = std::move(findings.blanks);
      // Without markers there is no telling which part of a file is which blank.
      if (student_ && entry->blanks.size() > 1 && !state.unmarked_blanks.empty())
        for (const std::string& name : entry->blanks) out.blanks.push_back({name, "unmarked"});
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
  if (report.verdict == Outcome::passed)
    if (const std::string end = bad_end(); !end.empty()) report.verdict_text += " Warning: " + end;
  problems_.clear();
  return report;
}

namespace {

/// Every case that was tried is right, the counted one among them.
bool answers_are_right(const std::vector<Check>& checks, const std::string& counted) {
  bool tried = false;
  for (const Check& check : checks) {
    if (check.name.starts_with("budget ")) continue;
    if (check.outcome != Outcome::passed) return false;
    tried |= check.name == "case " + counted;
  }
  return tried;
}

}  // namespace

void Grading::run_full_size(Report& report, const FullSizeOptions& options, bool always) {
  if (!puzzle_.full_size || error_ || file_check_.outcome != Outcome::passed) return;
  FullSize full;
  full.shape = shape_of(puzzle_.full_size->which);
  full.gpu = services_.gpu.name;
  full.gpu_name = services_.gpu.full_name;
  full.l2_bytes = services_.gpu.l2_effective_bytes;
  full.min_bytes = puzzle_.full_size->min_bytes;
  const auto run = [&](const Entry& entry, const std::shared_ptr<const CompiledFile>& program,
                       std::optional<std::size_t> function, const char* whose) -> std::optional<FullSizeRun> {
    if (!program || !function) return std::nullopt;
    options.progress(fmt::format("{} {}, {} at {} ...", puzzle_.id, entry.name, whose, full.shape));
    auto made = fusebox::run_full_size(services_, *program, *function, entry, *puzzle_.full_size, options);
    if (made) return std::move(made.value());
    FullSizeRun failed;
    failed.problem = made.error().what;
    return failed;
  };
  const std::string counted = puzzle_.counted_case().name;
  bool any = always;
  for (const Entry* entry : entries_) any |= answers_are_right(states_[entry->name].checks, counted);
  if (!any) return;
  for (const Entry* entry : entries_) {
    const EntryState& state = states_[entry->name];
    FullSizeEntry out;
    out.entry = entry->name;
    if (answers_are_right(state.checks, counted))
      out.student = run(*entry, student_, state.student_function, "yours");
    out.reference = out.student && student_ == reference_
                        ? out.student
                        : run(*entry, reference_, state.reference_function, "the reference");
    out.budgets = check_full_size(*entry, out.student ? &*out.student : nullptr,
                                  out.reference ? &*out.reference : nullptr);
    full.entries.push_back(std::move(out));
  }
  options.progress("");
  report.full_size = std::move(full);
  report.full_size->sentence = meaning_of(*report.full_size);
  report.full_size->counted_sentence = meaning_of_counted(report, services_.gpu.sms);
}

}  // namespace fusebox
