#include "grader/judge/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/text/format.h"

namespace fusebox {
namespace {

int rank(Outcome outcome) {
  switch (outcome) {
    case Outcome::failed:
      return 3;
    case Outcome::unsolved:
      return 2;
    case Outcome::skipped:
      return 1;
    case Outcome::passed:
      return 0;
  }
  return 3;
}

/// The remedy that a check's own detail ends with.
std::string advice_in(const std::string& detail) {
  const std::size_t at = detail.find("try: ");
  if (at == std::string::npos) return {};
  std::string advice = detail.substr(at + 5, detail.find('\n', at) - at - 5);
  if (advice.ends_with('.')) advice.pop_back();  // it becomes part of a sentence
  return advice;
}

/// Which entry a sentence is about, where there are several.
std::string entry_prefix(const Report& report, const EntryReport& entry) {
  return report.entries.size() > 1 || entry.entry != "kernel" ? fmt::format("{}: ", entry.entry) : "";
}

std::string sentence(const Report& report, const EntryReport& entry, const Check& check) {
  const std::string where = entry_prefix(report, entry);
  const std::string advice = advice_in(check.detail);
  if (check.name == "file" || check.name == "signature")
    return check.summary + (advice.empty() ? "." : "; " + advice + ".");
  if (check.outcome == Outcome::unsolved)
    return fmt::format("{}{}: write it in {}{}.", where, check.summary, report.file,
                       advice.empty() ? "" : ", or " + advice);
  if (check.name.starts_with("case ") && advice.empty())
    return fmt::format("{}{}: {} Compare the first wrong element with what the formula gives for it.", where,
                       check.name, check.summary);
  return fmt::format("{}{}: {}{}", where, check.name, check.summary,
                     advice.empty() ? "." : "; " + advice + ".");
}

}  // namespace

Outcome outcome_of(std::span<const Check> checks) {
  if (checks.empty()) return Outcome::skipped;
  Outcome worst = Outcome::passed;
  for (const Check& check : checks)
    if (rank(check.outcome) > rank(worst)) worst = check.outcome;
  return worst;
}

void conclude(Report& report, const Puzzle& puzzle) {
  if (report.entries.empty()) {
    report.verdict = Outcome::skipped;
    report.verdict_text = "Nothing was checked.";
    return;
  }
  report.verdict = Outcome::passed;
  for (const EntryReport& entry : report.entries)
    if (rank(entry.outcome) > rank(report.verdict)) report.verdict = entry.outcome;
  if (report.verdict == Outcome::passed) {
    report.verdict_text =
        fmt::format("{} is solved: every answer is right and every budget kept.", puzzle.id);
    return;
  }
  for (const EntryReport& entry : report.entries)
    if (entry.cause) {
      report.verdict_text = entry_prefix(report, entry) + entry.cause->sentence;
      return;
    }
  for (const EntryReport& entry : report.entries)
    for (const Check& check : entry.checks)
      if (check.outcome == report.verdict) {
        report.verdict_text = sentence(report, entry, check);
        return;
      }
}

std::string describe_budget(const BudgetLine& line) {
  const auto show = [&](std::optional<double> value) { return format_value(line.student.unit, value); };
  return fmt::format("{}, allowed {}", show(line.student.value), show(line.limit));
}

std::string describe_compile_failure(const CompileFailure& failure) {
  std::size_t errors = 0;
  const Diagnostic* first = nullptr;
  for (const Diagnostic& d : failure.diagnostics) {
    if (d.severity.find("error") == std::string::npos) continue;
    if (!first) first = &d;
    ++errors;
  }
  if (!first) return "does not compile";
  std::string place = first->file;
  if (first->line > 0) place += fmt::format(":{}", first->line);
  if (first->column > 0) place += fmt::format(":{}", first->column);
  return errors == 1
             ? fmt::format("does not compile: {}: {}", place, first->text)
             : fmt::format("does not compile: {} errors, the first at {}: {}", errors, place, first->text);
}

std::string to_string(const Diagnostic& d) {
  std::string text = d.file;
  if (d.line > 0) text += fmt::format(":{}", d.line);
  if (d.column > 0) text += fmt::format(":{}", d.column);
  return fmt::format("{}{}{}: {}", text, text.empty() ? "" : ": ", d.severity, d.text);
}

}  // namespace fusebox
