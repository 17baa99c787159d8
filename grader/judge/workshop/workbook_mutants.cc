#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "grader/judge/cases/both_devices.h"
#include "grader/judge/cases/mistakes.h"
#include "grader/judge/source/source_file.h"
#include "grader/judge/workshop/answers_compile.h"
#include "grader/judge/workshop/problems_once.h"
#include "grader/judge/workshop/workbook_rule.h"
#include "grader/report/text/format.h"

// Known mistakes are made and graded: each must fail for its reason, and together they show what cases,
// tolerances and budgets are worth.

namespace fusebox {
namespace {

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

/// What came of one mutant.
struct Graded {
  const Mutant* mutant = nullptr;
  SourceFile file;  ///< the solution with the mistake
  Report report;
  std::optional<Error> error;
};

/// All of them compiled, few compiles: of what gives wrong answers the device code is enough, of the others
/// ptxas says how much they take.
Result<CompiledTexts> compile_all(const Services& services, const SourceFile& solution,
                                  const std::vector<Graded>& all) {
  std::vector<SourceFile> wrong, others;
  for (const Graded& graded : all)
    (graded.mutant->reason == Reason::wrong_answer ? wrong : others).push_back(graded.file);
  return compile_answers(services, others, solution, wrong);
}

/// How much of its tolerance a case used; infinite for what is not a number.
std::optional<double> use_of(const Check& check) {
  if (!check.max_error || !check.tolerance) return std::nullopt;
  if (std::isnan(*check.max_error)) return std::numeric_limits<double>::infinity();
  if (*check.tolerance == 0) return *check.max_error == 0 ? 0 : std::numeric_limits<double>::infinity();
  return *check.max_error / *check.tolerance;
}

/// The largest use of any case, and the case; nothing where no case was compared.
std::pair<std::optional<double>, std::string> worst_use(const Report& report) {
  std::pair<std::optional<double>, std::string> worst;
  for (const EntryReport& entry : report.entries)
    for (const Check& check : entry.checks)
      if (const auto use = use_of(check); use && (!worst.first || *use > *worst.first))
        worst = {use, check.name};
  return worst;
}

std::set<std::string> failed_cases(const Report& report) {
  std::set<std::string> failed;
  for (const EntryReport& entry : report.entries)
    for (const Check& check : entry.checks)
      if (check.name.starts_with("case ") && check.outcome == Outcome::failed)
        failed.insert(check.name.substr(5));
  return failed;
}

void prove_cases(const Puzzle& puzzle, const std::vector<Graded>& all, Proof& proof) {
  for (const Case& which : puzzle.cases) {
    Proof::OfCase row{which.name, 0, {}};
    for (const Graded& graded : all) {
      const auto failed = failed_cases(graded.report);
      if (!failed.contains(which.name)) continue;
      ++row.kills;
      if (failed.size() == 1) row.alone.push_back(graded.mutant->name);
    }
    proof.cases.push_back(std::move(row));
  }
}

void prove_tolerance(const std::vector<Report>& right, const std::vector<Graded>& all, Proof& proof) {
  Proof::OfTolerance found;
  found.mildest_wrong = std::numeric_limits<double>::infinity();
  for (const Report& report : right)
    if (const auto [use, which] = worst_use(report); use && *use >= found.worst_right)
      found.worst_right = *use, found.worst_right_case = which;
  for (const Graded& graded : all) {
    if (graded.mutant->reason != Reason::wrong_answer) continue;
    // What fails with all its values allowed left others unwritten, which has no distance.
    if (const auto [use, which] = worst_use(graded.report); use && *use > 1 && *use < found.mildest_wrong)
      found.mildest_wrong = *use, found.mildest_wrong_mutant = graded.mutant->name;
  }
  if (!found.worst_right_case.empty()) proof.tolerance = found;
}

/// A metric of an entry's counted case.
std::optional<double> value_of(const EntryReport& entry, const std::string& tag) {
  if (!entry.student) return std::nullopt;
  for (const Metric& metric : entry.student->metrics)
    if (metric.tag == tag) return metric.value;
  return std::nullopt;
}

void prove_budgets(const Puzzle& puzzle, const Report& solution, const std::vector<Graded>& all,
                   Proof& proof) {
  for (const EntryReport& entry : solution.entries)
    for (const BudgetLine& line : entry.budgets) {
      Proof::OfBudget row{entry.entry, line.student, line.limit, std::nullopt, {}};
      const auto consider = [&](std::optional<double> value, const std::string& name) {
        if (!value || *value <= line.limit || (row.nearest && *row.nearest <= *value)) return;
        row.nearest = value, row.nearest_name = name;
      };
      for (const Graded& graded : all)
        for (const EntryReport& other : graded.report.entries)
          if (other.entry == entry.entry) consider(value_of(other, line.student.tag), graded.mutant->name);
      for (const EntryReport& other : solution.entries)
        if (other.entry != entry.entry && puzzle.find_entry("fused") && entry.entry == "fused")
          consider(value_of(other, line.student.tag), "the reference's " + other.entry);
      proof.budgets.push_back(std::move(row));
    }
}

}  // namespace

std::vector<Check> check_mutants(const Puzzle& asked, const Workbook& workbook, Proof& proof) {
  const Puzzle puzzle = with_problems_once(asked);
  const auto solution = read_source(workbook.paths.solutions() / puzzle.file_name());
  if (!solution) return {rule("solution", false, solution.error().what)};
  const auto mutants = load_mutants({workbook.paths.texts(), puzzle});
  if (!mutants) return {rule("known mistakes", false, mutants.error().what)};
  std::vector<Graded> all;
  for (const Mutant& mutant : *mutants) {
    auto file = with_mistake(*solution, mutant);
    if (!file) return {rule("known mistakes", false, file.error().what)};
    all.push_back({&mutant, std::move(*file), {}, std::nullopt});
  }
  const auto texts = compile_all(workbook.services, *solution, all);
  if (!texts) return {rule("known mistakes compile", false, texts.error().what)};
  on_both_devices(with_known(workbook.services, *texts), all.size(),
                  [&](std::size_t i, const Services& services) {
                    Graded& graded = all[i];
                    graded.report = grade_text(puzzle, workbook, services, graded.file.text,
                                               {graded.mutant->entry}, false, graded.error);
                  });

  std::vector<Check> checks;
  for (const Graded& graded : all) {
    const Mutant& mutant = *graded.mutant;
    const std::string wrong = graded.error ? graded.error->what : misbehaviour(mutant, graded.report);
    checks.push_back(rule("mutant " + mutant.name, wrong.empty(), wrong));
  }

  std::vector<Report> right;
  for (const auto& path :
       {workbook.paths.solutions() / puzzle.file_name(), workbook.paths.optimized() / puzzle.file_name()}) {
    const auto source = read_source(path);
    std::optional<Error> error;
    if (source)
      right.push_back(grade_text(puzzle, workbook, workbook.services, source->text, {}, false, error));
  }
  prove_cases(puzzle, all, proof);
  prove_tolerance(right, all, proof);
  if (!right.empty()) prove_budgets(puzzle, right.front(), all, proof);
  return checks;
}

std::string describe(const Proof& proof) {
  std::string text = "  each case, the mutants that fail it, and those that fail no other\n";
  for (const Proof::OfCase& row : proof.cases)
    text += fmt::format("    {:<24} {:>3}{}\n", row.name, row.kills,
                        row.kills == 0      ? "  no mutant needs it"
                        : row.alone.empty() ? ""
                                            : fmt::format("  alone: {}", fmt::join(row.alone, ", ")));
  if (proof.tolerance) {
    const auto& t = *proof.tolerance;
    text += fmt::format(
        "  tolerance: the worst right answer uses {:.2f} of it ({}); the mildest wrong one {}\n",
        t.worst_right, t.worst_right_case,
        std::isinf(t.mildest_wrong)
            ? "is never a finite distance away"
            : fmt::format("{:.3g} times as much as it allows ({})", t.mildest_wrong, t.mildest_wrong_mutant));
  }
  text += "  budgets: the reference, the limit, and what is nearest above it\n";
  for (const Proof::OfBudget& row : proof.budgets)
    text += fmt::format(
        "    {:<8} {:<20} {:>10} ≤ {:>10}   {}\n", row.entry, row.metric.tag,
        format_value(row.metric.unit, row.metric.value), format_value(row.metric.unit, row.limit),
        row.nearest ? fmt::format("{} ({})", format_value(row.metric.unit, row.nearest), row.nearest_name)
                    : "no mutant breaks it");
  return text;
}

}  // namespace fusebox
