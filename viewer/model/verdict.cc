#include "viewer/model/verdict.h"

#include <fmt/format.h>

#include "grader/report/format.h"

namespace fusebox::view {

VerdictModel verdict_model(const Book& book) {
  VerdictModel model;
  const Report& report = book.report;
  model.outcome = report.verdict;
  model.sentence = report.verdict_text;
  model.compiler_messages = report.compiler_messages;
  switch (report.verdict) {
    case Outcome::passed:
      model.word = "Passed";
      break;
    case Outcome::failed:
      model.word = "Not passed";
      break;
    case Outcome::unsolved:
      model.word = "Not solved yet";
      break;
    case Outcome::skipped:
      model.word = "Nothing was checked";
      break;
  }
  if (book.origin == Origin::recording) {
    model.word = "Not graded yet";
    model.sentence =
        "What you see is the reference, recorded. Edit the puzzle and save it: it is graded at once.";
  }
  for (const EntryReport& entry : report.entries) {
    EntryVerdict one;
    one.entry = entry.entry;
    one.outcome = entry.outcome;
    std::size_t passed = 0;
    for (const Check& check : entry.checks) {
      passed += check.outcome == Outcome::passed;
      if (!check.name.starts_with("budget "))
        one.checks.push_back({check.name, check.summary, check.detail, check.outcome});
    }
    one.tally = fmt::format("{} of {} checks passed", passed, entry.checks.size());
    const SideRun* run = student_of(book, entry.entry);
    if (!run) run = reference_of(book, entry.entry);
    if (run) one.counted_case = run->counted_case;
    for (const BudgetLine& budget : entry.budgets) {
      BudgetRow row;
      row.tag = budget.student.tag, row.name = budget.student.name;
      row.description = budget.student.description;
      row.unit = budget.student.unit, row.source = budget.student.source;
      row.you = budget.student.value;
      row.reference = budget.reference;
      if (book.other) row.reference = value_of(reference_of(book, entry.entry), row.tag);
      row.before = value_of(before_of(book, entry.entry), row.tag);
      row.limit = budget.limit;
      row.within = budget.within;
      one.budgets.push_back(std::move(row));
    }
    model.entries.push_back(std::move(one));
  }
  return model;
}

std::string to_text(const VerdictModel& model) {
  std::string text = fmt::format("{}: {}\n", model.word, model.sentence);
  for (const std::string& message : model.compiler_messages) text += "  " + message + "\n";
  for (const EntryVerdict& entry : model.entries) {
    text += fmt::format("{} {}, {} [{}]\n", entry.entry, to_string(entry.outcome), entry.tally,
                        entry.counted_case);
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
