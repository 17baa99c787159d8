#include "viewer/model/panels/why.h"

#include <fmt/format.h>

#include <algorithm>

namespace fusebox::view {

std::string why_not_counted(const Book& book, const std::string& entry) {
  for (const EntryReport& each : book.report.entries) {
    if (each.entry != entry || (each.student && !each.student->launches.empty())) continue;
    if (book.full_size && book.report.full_size) {
      for (const FullSizeEntry& full : book.report.full_size->entries)
        if (full.entry == entry && full.student && !full.student->problem.empty())
          return "it could not be run at full size: " + full.student->problem;
      if (each.outcome == Outcome::failed) return "an answer is wrong, so that it was not run at full size";
    }
    for (const char* name : {"file", "signature", "blanks", "case counted", ""})
      for (const Check& check : each.checks)
        if (check.outcome != Outcome::passed && (check.name == name || *name == '\0')) return check.summary;
    return "the counted case did not run";
  }
  return "";
}

std::string why_empty(const Book& book) {
  if (book.origin == Origin::unseen)
    return fmt::format("{} was never graded here: save its file, or press F5.", book.report.puzzle);
  if (book.report.entries.empty()) return "This report holds no entry of the puzzle.";
  if (!book.report.compiler_messages.empty())
    return "The file does not compile; the Verdict has the messages.";
  std::string text;
  for (const EntryReport& entry : book.report.entries) {
    const std::string why = why_not_counted(book, entry.entry);
    if (why.empty()) continue;
    text += (text.empty() ? "" : "; ") +
            (book.report.entries.size() > 1 ? entry.entry + ": " : std::string()) + why;
  }
  return text.empty() ? "The report holds no launches." : text + ".";
}

std::string mismatch_text(const Book& book) {
  if (!book.other) return "";
  const Report &mine = book.report, &theirs = *book.other;
  if (mine.puzzle != theirs.puzzle)
    return fmt::format(
        "These are reports of two puzzles, {} and {}: bars of one stand beside bars of the other, and only what has the same name is compared.",
        mine.puzzle, theirs.puzzle);
  for (const EntryReport& entry : mine.entries) {
    const SideRun *a = student_of(book, entry.entry), *b = reference_of(book, entry.entry);
    if (a && b && !a->counted_case.empty() && !b->counted_case.empty() && a->counted_case != b->counted_case)
      return fmt::format("These reports were counted on two sizes, {} and {}: their bytes do not compare.",
                         a->counted_case, b->counted_case);
  }
  if (!mine.gpus.empty() && !theirs.gpus.empty() && mine.gpus[0].name != theirs.gpus[0].name)
    return fmt::format("These reports are modelled for two GPUs, {} and {}: their times do not compare.",
                       mine.gpus[0].full_name, theirs.gpus[0].full_name);
  return "";
}

}  // namespace fusebox::view
