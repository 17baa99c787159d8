#include "viewer/model/panels/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/text/format.h"
#include "viewer/model/panels/why.h"

namespace fusebox::view {
namespace {

constexpr const char* kCase = "case ";

CheckRow row_of(const Check& check) {
  return {check.name, check.summary, check.detail, check.outcome, check.fault ? check.fault->line : 0, {}};
}

/// Cases with the same outcome as one row: "8 of 10 cases", as the terminal has them.
CheckRow group_of(const EntryReport& entry, Outcome outcome) {
  CheckRow group;
  group.outcome = outcome;
  std::size_t all = 0;
  for (const Check& check : entry.checks) {
    if (!check.name.starts_with(kCase)) continue;
    ++all;
    if (check.outcome != outcome) continue;
    group.rows.push_back(row_of(check));
    group.summary += (group.summary.empty() ? "" : ", ") + check.name.substr(std::string(kCase).size());
  }
  group.name = group.rows.size() == all ? fmt::format("{} case{}", all, all == 1 ? "" : "s")
                                        : fmt::format("{} of {} cases", group.rows.size(), all);
  return group;
}

/// What is wrong first. A signature that is right needs no line.
std::vector<CheckRow> rows_of(const EntryReport& entry) {
  std::vector<CheckRow> rows;
  for (const Outcome outcome : {Outcome::failed, Outcome::unsolved, Outcome::skipped, Outcome::passed}) {
    for (const Check& check : entry.checks)
      if (check.outcome == outcome && !check.name.starts_with("budget ") && !check.name.starts_with(kCase) &&
          !(check.name == "signature" && outcome == Outcome::passed))
        rows.push_back(row_of(check));
    if (outcome == Outcome::unsolved) continue;  // the empty blank says it all
    if (CheckRow group = group_of(entry, outcome); !group.rows.empty()) rows.push_back(std::move(group));
  }
  return rows;
}

const char* word_of(Outcome verdict) {
  switch (verdict) {
    case Outcome::passed:
      return "Passed";
    case Outcome::failed:
      return "Not passed";
    case Outcome::unsolved:
      return "Not solved yet";
    case Outcome::skipped:
      return "Nothing was checked";
  }
  return "";
}

BudgetRow row_of(const Book& book, const std::string& entry, const BudgetLine& budget) {
  BudgetRow row;
  row.tag = budget.student.tag, row.name = budget.student.name;
  row.description = budget.student.description;
  row.unit = budget.student.unit, row.source = budget.student.source;
  row.you = budget.student.value;
  row.reference = budget.reference;
  if (book.other) row.reference = value_of(reference_of(book, entry), row.tag);
  row.before = value_of(before_of(book, entry), row.tag);
  row.limit = budget.limit;
  row.within = budget.within;
  return row;
}

EntryVerdict verdict_of(const Book& book, const EntryReport& entry) {
  EntryVerdict one;
  one.entry = entry.entry;
  one.outcome = entry.outcome;
  std::size_t passed = 0;
  for (const Check& check : entry.checks) passed += check.outcome == Outcome::passed;
  one.checks = rows_of(entry);
  one.cause = entry.cause;
  one.blanks = entry.blanks;
  one.tally = fmt::format("{} of {} checks passed", passed, entry.checks.size());
  const SideRun* run = student_of(book, entry.entry);
  if (!run) run = reference_of(book, entry.entry);
  if (run) one.counted_case = run->counted_case;
  one.budgets.reserve(entry.budgets.size());
  for (const BudgetLine& budget : entry.budgets) one.budgets.push_back(row_of(book, entry.entry, budget));
  return one;
}

}  // namespace

VerdictModel verdict_model(const Book& book) {
  VerdictModel model;
  const Report& report = book.report;
  model.outcome = report.verdict;
  model.word = word_of(report.verdict);
  model.sentence = report.verdict_text;
  model.compiler_messages = report.compiler_messages;
  if (book.origin == Origin::recording) {
    model.word = "Not graded yet";
    model.sentence =
        "What you see is the reference, recorded. Edit the puzzle and save it: it is graded at once.";
  }
  if (book.origin == Origin::unseen) {
    model.word = "Not graded yet";
    model.sentence = why_empty(book);
  }
  model.entries.reserve(report.entries.size());
  for (const EntryReport& entry : report.entries) model.entries.push_back(verdict_of(book, entry));
  std::stable_sort(model.entries.begin(), model.entries.end(), [](const auto& a, const auto& b) {
    return a.outcome == Outcome::failed && b.outcome != Outcome::failed;
  });
  return model;
}

std::string to_text(const VerdictModel& model) {
  std::string text = fmt::format("{}: {}\n", model.word, model.sentence);
  for (const std::string& message : model.compiler_messages) text += "  " + message + "\n";
  for (const EntryVerdict& entry : model.entries) {
    text += fmt::format("{} {}, {} [{}]\n", entry.entry, to_string(entry.outcome), entry.tally,
                        entry.counted_case);
    if (entry.cause)
      text += fmt::format("  because: {} ({})\n", entry.cause->sentence, entry.cause->evidence);
    for (const BlankReport& blank : entry.blanks)
      text += fmt::format("  blank {} alone: {}\n", blank.blank, blank.verdict);
    for (const BudgetRow& row : entry.budgets)
      text += fmt::format("  {} you {} reference {} before {} limit {}{}\n", row.tag,
                          format_value(row.unit, row.you), format_value(row.unit, row.reference),
                          format_value(row.unit, row.before), format_value(row.unit, row.limit),
                          row.you && !row.within ? " over" : "");
    for (const CheckRow& check : entry.checks)
      text += fmt::format("  {} {}: {}\n", to_string(check.outcome), check.name, check.summary);
  }
  return text;
}

}  // namespace fusebox::view
