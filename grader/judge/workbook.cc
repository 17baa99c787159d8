#include "grader/judge/workbook.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/judge/grading.h"
#include "grader/judge/metrics.h"
#include "grader/judge/source_file.h"
#include "grader/report/json.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

Check rule(std::string name, bool kept, std::string otherwise) {
  Check check;
  check.name = std::move(name);
  check.outcome = kept ? Outcome::passed : Outcome::failed;
  if (!kept) check.summary = std::move(otherwise);
  return check;
}

/// Grades every check of `entries` (empty: all) of a text put in the puzzle file's place.
Report grade_text(const Puzzle& puzzle, const Workbook& workbook, const std::string& text,
                  std::vector<std::string> entries, bool with_reference, std::optional<Error>& error) {
  GradingOptions options;
  options.file = workbook.puzzles / puzzle.file_name();
  options.text = text;
  options.reference = workbook.solutions / puzzle.file_name();
  options.seed = workbook.seed;
  options.entries = std::move(entries);
  options.with_reference = with_reference;
  options.diagnose = false;
  Grading grading(puzzle, workbook.services, options);
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

/// Empty when the mutant fails as declared; else what it did instead.
std::string misbehaviour(const Mutant& mutant, const Report& report) {
  bool wrong = false, right_fault = false, over = false;
  std::string other_fault;
  for (const EntryReport& entry : report.entries)
    for (const Check& check : entry.checks) {
      if (check.outcome == Outcome::passed || check.outcome == Outcome::skipped) continue;
      if (check.name.starts_with("case ")) {
        if (check.fault && check.fault->kind == mutant.detail)
          right_fault = true;
        else if (check.fault)
          other_fault = check.fault->kind;
        else if (!check.mismatches.empty())
          wrong = true;
        else
          return fmt::format("{}: {}", check.name, check.summary);
      } else if (check.name == "budget " + mutant.detail) {
        over = true;
      } else if (!check.name.starts_with("budget ")) {
        return fmt::format("{}: {}\n{}", check.name, check.summary, check.detail);
      }
    }
  switch (mutant.reason) {
    case Reason::wrong_answer:
      if (!other_fault.empty() || right_fault)
        return fmt::format("a wrong answer was declared, it has the fault {}", other_fault);
      return wrong ? "" : "every answer is right";
    case Reason::fault:
      return right_fault
                 ? ""
                 : fmt::format("the fault {} was declared, {}", mutant.detail,
                               other_fault.empty() ? (wrong ? "its answers are wrong" : "nothing failed")
                                                   : "it has " + other_fault);
    case Reason::over_budget:
      if (wrong || !other_fault.empty())
        return "it was to break a budget only, but its answers are wrong too";
      return over ? "" : fmt::format("it is inside the budget on {}", mutant.detail);
  }
  return {};
}

}  // namespace

std::vector<Check> check_puzzle_files(const Puzzle& puzzle, const Workbook& workbook) {
  std::vector<Check> checks;
  checks.push_back(
      rule("three hints", puzzle.hints.size() == 3, fmt::format("it has {}", puzzle.hints.size())));
  const auto lesson = read_source(workbook.lessons / (puzzle.id + ".md"));
  checks.push_back(rule("lesson", lesson.ok(), lesson.ok() ? "" : lesson.error().what));

  const auto counted =
      std::count_if(puzzle.cases.begin(), puzzle.cases.end(), [](const Case& c) { return c.counted; });
  checks.push_back(rule("one counted case", counted == 1, fmt::format("{} are", counted)));
  std::set<std::string> cases;
  for (const Case& which : puzzle.cases) cases.insert(which.name);
  checks.push_back(
      rule("names of cases", cases.size() == puzzle.cases.size(), "two cases have the same name"));

  const auto solution = read_source(workbook.solutions / puzzle.file_name());
  checks.push_back(rule("solution", solution.ok(), solution.ok() ? "" : solution.error().what));
  if (!solution) return checks;
  const auto blanks = find_blanks(solution->text);
  checks.push_back(rule("blanks well formed", blanks.ok(), blanks.ok() ? "" : blanks.error().what));
  if (!blanks) return checks;
  std::set<std::string> marked, needed;
  bool filled = true;
  for (const Blank& blank : blanks.value()) marked.insert(blank.name), filled &= !blank.empty;
  for (const Entry& entry : puzzle.entries) needed.insert(entry.blanks.begin(), entry.blanks.end());
  checks.push_back(rule("blanks as in the spec", marked == needed && !needed.empty(),
                        "markers and spec name different blanks"));
  checks.push_back(rule("solution is filled in", filled, "a blank of the solution is empty"));

  const auto skeleton = strip_blanks(solution->text);
  const auto given = read_source(workbook.puzzles / puzzle.file_name());
  checks.push_back(rule("puzzle is the stripped solution",
                        skeleton.ok() && given.ok() && *skeleton == given->text,
                        "run `grader dev skeletons`"));

  std::set<std::string> mutants;
  std::string stray;
  for (const Mutant& mutant : puzzle.mutants) {
    mutants.insert(mutant.name);
    const Entry* entry = puzzle.find_entry(mutant.entry);
    if (!entry || !marked.contains(mutant.blank)) stray = mutant.name;
  }
  checks.push_back(rule("mutants name what exists", stray.empty(),
                        fmt::format("`{}` names an unknown entry or blank", stray)));
  checks.push_back(
      rule("names of mutants", mutants.size() == puzzle.mutants.size(), "two mutants have the same name"));
  checks.push_back(rule("at least four mutants", puzzle.mutants.size() >= 4,
                        fmt::format("it has {}", puzzle.mutants.size())));
  return checks;
}

std::vector<Check> check_unsolved(const Puzzle& puzzle, const Workbook& workbook) {
  const auto solution = read_source(workbook.solutions / puzzle.file_name());
  if (!solution) return {rule("solution", false, solution.error().what)};
  const auto skeleton = strip_blanks(solution->text);
  if (!skeleton) return {rule("skeleton", false, skeleton.error().what)};

  std::vector<Check> checks;
  const auto compiled = workbook.services.compile({workbook.puzzles / puzzle.file_name(), *skeleton});
  if (!compiled) return {rule("skeleton compiles", false, compiled.error().what)};
  const auto* failure = std::get_if<CompileFailure>(&*compiled);
  checks.push_back(rule("skeleton compiles", !failure, failure ? failure->output : ""));

  std::optional<Error> error;
  const Report report = grade_text(puzzle, workbook, *skeleton, {}, false, error);
  if (error) return {rule("skeleton is graded", false, error->what)};
  checks.push_back(
      rule("every entry is reported", report.entries.size() == puzzle.entries.size(), "an entry is missing"));
  for (const EntryReport& entry : report.entries)
    checks.push_back(
        rule(entry.entry + " is unsolved", entry.outcome == Outcome::unsolved, first_failure(report)));
  return checks;
}

std::vector<Check> check_solution(const Puzzle& puzzle, const Workbook& workbook) {
  const auto solution = read_source(workbook.solutions / puzzle.file_name());
  if (!solution) return {rule("solution", false, solution.error().what)};
  std::vector<Check> checks;
  std::optional<Error> error;
  const Report report = grade_text(puzzle, workbook, solution->text, {}, true, error);
  if (error) return {rule("solution is graded", false, error->what)};
  checks.push_back(rule("solution passes", report.verdict == Outcome::passed, first_failure(report)));
  for (const EntryReport& entry : report.entries)
    for (const BudgetLine& line : entry.budgets)
      checks.push_back(rule(fmt::format("{} has room in {}", entry.entry, line.student.tag), has_room(line),
                            fmt::format("{} of {}", line.student.value.value_or(-1), line.limit)));

  const Report again = grade_text(puzzle, workbook, solution->text, {}, true, error);
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
  return checks;
}

std::vector<Check> check_beyond(const Puzzle& puzzle, const Workbook& workbook) {
  std::error_code error_code;
  const fs::path file = workbook.beyond() / puzzle.file_name();
  if (!fs::exists(file, error_code)) return {};
  const auto beyond = read_source(file);
  if (!beyond) return {rule("beyond", false, beyond.error().what)};
  std::optional<Error> error;
  const Report report = grade_text(puzzle, workbook, beyond->text, {}, false, error);
  if (error) return {rule("beyond is graded", false, error->what)};
  return {rule("beyond passes", report.verdict == Outcome::passed, first_failure(report))};
}

std::vector<Check> check_mutants(const Puzzle& puzzle, const Workbook& workbook) {
  const auto solution = read_source(workbook.solutions / puzzle.file_name());
  if (!solution) return {rule("solution", false, solution.error().what)};
  std::vector<Check> checks;
  for (const Mutant& mutant : puzzle.mutants) {
    const std::string name = "mutant " + mutant.name;
    const auto text = graft_blank(solution->text, mutant.blank, mutant.body);
    if (!text) {
      checks.push_back(rule(name, false, text.error().what));
      continue;
    }
    std::optional<Error> error;
    const Report report = grade_text(puzzle, workbook, *text, {mutant.entry}, false, error);
    const std::string wrong = error ? error->what : misbehaviour(mutant, report);
    checks.push_back(rule(name, wrong.empty(), wrong));
  }
  return checks;
}

std::vector<Check> check_shelves(const Workbook& workbook) {
  std::vector<Check> checks;
  std::set<std::string> ids, slugs, files;
  for (const Puzzle& puzzle : puzzles()) {
    checks.push_back(rule(puzzle.id + " is the only one",
                          ids.insert(puzzle.id).second && slugs.insert(puzzle.slug).second,
                          "its id or slug occurs twice"));
    files.insert(puzzle.file_name());
  }
  for (const fs::path& folder : {workbook.puzzles, workbook.solutions, workbook.beyond()}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const fs::path file = entry.path();
      // What `grader reset` keeps is the learner's.
      if (file.extension() == ".bak" || file == workbook.beyond() || files.contains(file.filename().string()))
        continue;
      checks.push_back(rule("stray file", false, fmt::format("{} belongs to no puzzle", file.string())));
    }
  }
  return checks;
}

}  // namespace fusebox
