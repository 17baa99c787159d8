#include "grader/cli/render_entry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "grader/cli/render.h"

namespace fusebox {
namespace {

/// "a, b, c and 4 more", at most `room` columns wide.
std::string shortened(const std::vector<std::string>& names, std::size_t room) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string more = i + 1 < names.size() ? fmt::format(" and {} more", names.size() - i - 1) : "";
    const std::string next = (text.empty() ? "" : ", ") + names[i];
    if (!text.empty() && text.size() + next.size() + more.size() > room)
      return text + fmt::format(" and {} more", names.size() - i);
    text += next;
  }
  return text;
}

std::string render_cause(const Cause& cause, const Style& style) {
  std::string text = style.bad(wrapped(printable(cause.sentence), kVerdictWidth, 2));
  if (!cause.evidence.empty()) text += style.quiet(wrapped("(" + cause.evidence + ")", kVerdictWidth, 2));
  if (!cause.corner.empty()) text += wrapped(cause.corner, kVerdictWidth, 4);
  for (const std::string& detail : cause.details) text += wrapped(printable(detail), kVerdictWidth, 2);
  if (cause.line > 0) text += fmt::format("  {:>6} | {}\n", cause.line, printable(cause.code));
  if (!cause.again.empty()) text += style.quiet(fmt::format("  again: {}\n", cause.again));
  return text;
}

/// All checks whose names start with `prefix`, in a line for each outcome.
std::string folded(const EntryReport& entry, const std::string& prefix, const char* what,
                   const Style& style) {
  std::string text;
  std::size_t all = 0;
  for (const Check& check : entry.checks) all += check.name.starts_with(prefix);
  for (const Outcome outcome : {Outcome::failed, Outcome::passed, Outcome::skipped}) {
    std::vector<std::string> names;
    for (const Check& check : entry.checks)
      if (check.name.starts_with(prefix) && check.outcome == outcome)
        names.push_back(check.name.substr(prefix.size()));
    if (names.empty()) continue;
    const std::string count = names.size() == all ? fmt::format("{} {}", all, what)
                                                  : fmt::format("{} of {} {}", names.size(), all, what);
    const std::string mark = outcome == Outcome::failed   ? style.bad("✗")
                             : outcome == Outcome::passed ? style.good("✓")
                                                          : style.quiet("–");
    text += fmt::format("  {} {:<17} {}\n", mark, count, style.quiet(shortened(names, kVerdictWidth - 24)));
  }
  return text;
}

std::string render_blanks(const EntryReport& entry, const Style& style) {
  std::vector<std::string> words;
  for (const BlankReport& blank : entry.blanks)
    words.push_back(fmt::format("`{}` {}", blank.blank,
                                blank.verdict == "unknown" ? "cannot be tried alone" : blank.verdict));
  if (words.empty()) return {};
  return fmt::format("    {} {}\n", style.quiet("each blank alone:"), shortened(words, kVerdictWidth - 24));
}

}  // namespace

std::string render_entry(const EntryReport& entry, const Style& style, bool verbose) {
  std::string text = style.strong(entry.entry) + "\n";
  if (entry.cause) text += render_cause(*entry.cause, style);
  if (verbose) {
    for (const Check& check : entry.checks)
      text += render_check(check, style, check.outcome != Outcome::passed);
    return text;
  }
  for (const Check& check : entry.checks) {
    const bool told = check.name == "file" || check.name == "blanks" || check.name == "signature";
    // The declaration is of interest when it is wrong; what comes after an empty blank is not reached.
    if (!told || check.outcome == Outcome::skipped ||
        (check.name == "signature" && check.outcome == Outcome::passed))
      continue;
    if (check.outcome == Outcome::unsolved && check.name != "blanks") continue;
    text += render_check(check, style, false);
  }
  return text + render_blanks(entry, style) + folded(entry, "case ", "cases", style) +
         folded(entry, "budget ", "budgets", style);
}

}  // namespace fusebox
