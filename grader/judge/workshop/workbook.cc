#include "grader/judge/workshop/workbook.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/judge/budgets/budgets.h"
#include "grader/judge/grading.h"
#include "grader/judge/source/source_file.h"
#include "grader/judge/workshop/workbook_rule.h"
#include "grader/report/json/json.h"
#include "grader/toolchain/blanks.h"

// The rules that are found out by grading: skeletons and solutions.

namespace fusebox {
namespace {

namespace fs = std::filesystem;

std::string first_failure(const Report& report) {
  for (const EntryReport& entry : report.entries)
    for (const Check& check : entry.checks)
      if (check.outcome != Outcome::passed)
        return fmt::format("{} {}: {}\n{}", entry.entry, check.name, check.summary, check.detail);
  return "nothing failed";
}

bool has_room(const BudgetLine& line) {
  if (!line.within) return false;
  const double value = *line.student.value;
  if (line.student.tag == "launches" || value == 0) return true;
  return value <= (1 - kBudgetRoom) * line.limit;
}

}  // namespace

Check rule(std::string name, bool kept, std::string otherwise) {
  Check check;
  check.name = std::move(name);
  check.outcome = kept ? Outcome::passed : Outcome::failed;
  if (!kept) check.summary = std::move(otherwise);
  return check;
}

Report grade_text(const Puzzle& puzzle, const Workbook& workbook, const Services& services,
                  const std::string& text, std::vector<std::string> entries, bool with_reference,
                  std::optional<Error>& error) {
  GradingOptions options;
  options.file = workbook.paths.puzzles() / puzzle.file_name();
  options.text = text;
  options.reference = workbook.paths.solutions() / puzzle.file_name();
  options.seed = workbook.seed;
  options.entries = std::move(entries);
  options.reference_use = with_reference ? ReferenceUse::always : ReferenceUse::never;
  options.explain = false;
  Grading grading(puzzle, services, options);
  for (const Entry* entry : grading.entries()) {
    grading.check_file();
    grading.check_signature(*entry);
    grading.check_blanks(*entry);
    for (const Case& which : puzzle.cases) grading.check_case(*entry, which);
    for (std::size_t i = 0; i < entry->budgets.size(); ++i) grading.check_budget(*entry, i);
  }
  Report report = grading.report();
  error = grading.error();
  return report;
}

std::vector<Check> check_unsolved(const Puzzle& puzzle, const Workbook& workbook) {
  const auto solution = read_source(workbook.paths.solutions() / puzzle.file_name());
  if (!solution) return {rule("solution", false, solution.error().what)};
  const auto skeleton = strip_blanks(solution->text);
  if (!skeleton) return {rule("skeleton", false, skeleton.error().what)};

  std::vector<Check> checks;
  const auto compiled = workbook.services.compile({workbook.paths.puzzles() / puzzle.file_name(), *skeleton});
  if (!compiled) return {rule("skeleton compiles", false, compiled.error().what)};
  const auto* failure = std::get_if<CompileFailure>(&*compiled);
  checks.push_back(rule("skeleton compiles", !failure, failure ? failure->output : ""));

  std::optional<Error> error;
  const Report report = grade_text(puzzle, workbook, workbook.services, *skeleton, {}, false, error);
  if (error) return {rule("skeleton is graded", false, error->what)};
  checks.push_back(
      rule("every entry is reported", report.entries.size() == puzzle.entries.size(), "an entry is missing"));
  for (const EntryReport& entry : report.entries)
    checks.push_back(
        rule(entry.entry + " is unsolved", entry.outcome == Outcome::unsolved, first_failure(report)));
  return checks;
}

std::vector<Check> check_solutions(const Puzzle& puzzle, const Workbook& workbook) {
  const auto solution = read_source(workbook.paths.solutions() / puzzle.file_name());
  if (!solution) return {rule("solution", false, solution.error().what)};
  std::vector<Check> checks;
  std::optional<Error> error;
  const Report report = grade_text(puzzle, workbook, workbook.services, solution->text, {}, true, error);
  if (error) return {rule("solution is graded", false, error->what)};
  checks.push_back(rule("solution passes", report.verdict == Outcome::passed, first_failure(report)));
  for (const EntryReport& entry : report.entries)
    for (const BudgetLine& line : entry.budgets)
      checks.push_back(rule(fmt::format("{} has room in {}", entry.entry, line.student.tag), has_room(line),
                            fmt::format("{} of {}", line.student.value.value_or(-1), line.limit)));

  const Report again = grade_text(puzzle, workbook, workbook.services, solution->text, {}, true, error);
  checks.push_back(rule("two runs, one report", to_json(report) == to_json(again),
                        "the reports of two runs with the same seed differ"));

  const Entry *unfused = puzzle.find_entry("unfused"), *fused = puzzle.find_entry("fused");
  if (unfused && fused && report.entries.size() == 2 && report.entries[0].student) {
    const auto lines = check_budgets(fused->budgets, report.entries[0].student->metrics, {});
    const bool outside =
        std::any_of(lines.begin(), lines.end(), [](const BudgetLine& line) { return !line.within; });
    checks.push_back(rule("unfused is outside the fused budget", outside,
                          "the budget of `fused` does not ask for fusing"));
  }
  std::error_code error_code;
  if (fs::exists(workbook.paths.optimized() / puzzle.file_name(), error_code)) {
    const auto optimized = read_source(workbook.paths.optimized() / puzzle.file_name());
    if (!optimized) return {rule("optimized", false, optimized.error().what)};
    const Report faster = grade_text(puzzle, workbook, workbook.services, optimized->text, {}, false, error);
    if (error) return {rule("optimized is graded", false, error->what)};
    checks.push_back(rule("optimized passes", faster.verdict == Outcome::passed, first_failure(faster)));
  }
  return checks;
}

}  // namespace fusebox
