#include "grader/cli/render/render_entry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "grader/cli/render/render.h"

namespace fusebox {
namespace {

constexpr std::size_t kKindWidth = 17;                        // of "10 of 11 budgets"
constexpr std::size_t kNamesWidth = kWidth - kKindWidth - 5;  // what stands behind it

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
        names.push_back(shown_name(entry, check).substr(prefix.size()));
    if (names.empty()) continue;
    const std::string count = names.size() == all ? fmt::format("{} {}", all, what)
                                                  : fmt::format("{} of {} {}", names.size(), all, what);
    text += fmt::format("  {} {:<{}} {}\n", mark(outcome, style), count, kKindWidth,
                        style.quiet(shortened(names, kNamesWidth)));
  }
  return text;
}

std::string render_blanks(const EntryReport& entry, const Style& style) {
  std::vector<std::string> words;
  for (const BlankReport& blank : entry.blanks)
    words.push_back(fmt::format("`{}` {}", blank.blank,
                                blank.verdict == "unknown" ? "cannot be tried alone" : blank.verdict));
  if (words.empty()) return {};
  if (entry.blanks.front().verdict == "unmarked")
    words = {"not known: their markers are not all in the file"};
  return fmt::format("    {} {}\n", style.quiet("each blank alone:"), shortened(words, kNamesWidth));
}

/// As many rows of a corner as fit: two lines each, below the columns' line. Of the first two one is wrong;
/// less is nothing.
std::string cut_corner(const std::string& corner, std::size_t lines) {
  const std::size_t whole = lines_of(corner), least = std::min<std::size_t>(whole, 5);
  return lines < least ? "" : first_lines(corner, std::min(whole, lines - (lines + 1) % 2));
}

/// What a compiler or a program said, at most kWidth columns wide: a word alone may be longer. Indented lines
/// are set as they are (code), and a mark below one that was cut is gone with what it marks.
std::string within(const std::string& text) {
  std::string lines;
  if (text.starts_with("  ")) {
    const std::string line = "  " + printable(text);
    const std::size_t begin = std::min(line.find_first_not_of(" \n"), line.size());
    const bool marks = line.find_first_not_of("^~ \n") == std::string::npos;
    return marks && begin + 3 > kWidth ? "" : cut_to(line, kWidth) + "\n";
  }
  std::istringstream each(wrapped(printable(text), kWidth, 2));
  for (std::string line; std::getline(each, line);) lines += cut_to(line, kWidth) + "\n";
  return lines;
}

/// The command stands in a line of its own; what a case is there for, and what a compiler counted of a file
/// that it rejects, tell nothing here.
bool is_of_use(const std::string& detail) {
  for (const char* other : {"again: ", "this case is there for: ", "ptxas info", "bytes stack frame"})
    if (detail.find(other) != std::string::npos) return false;
  return true;
}

}  // namespace

std::string render_cause(const Cause& cause, const Style& style, std::size_t lines) {
  std::string head = style.bad(within(cause.sentence));
  if (!cause.evidence.empty()) head += style.quiet(within("(" + cause.evidence + ")"));
  std::string tail;
  if (cause.line > 0)
    tail += cut_to(fmt::format("  {:>6} | {}", cause.line, printable(cause.code)), kWidth) + "\n";
  if (!cause.again.empty()) tail += style.quiet(fmt::format("  again: {}\n", cause.again));

  std::string details;
  for (const std::string& detail : cause.details)
    if (is_of_use(detail)) details += within(detail);
  const std::size_t taken = lines_of(head) + lines_of(tail);
  std::size_t room = lines > taken ? lines - taken : 0;
  std::string corner;
  if (!cause.corner.empty()) {
    // What the numbers show is said in a line or two; the numbers get the rest.
    const std::size_t said = std::min<std::size_t>(lines_of(details), 2);
    corner = cut_corner(wrapped(printable(cause.corner), kWidth, 4), room > said ? room - said : 0);
    room -= std::min(room, lines_of(corner));
  }
  return head + corner + first_lines(details, room) + tail;
}

std::string render_checks(const EntryReport& entry, const Style& style, bool verbose) {
  std::string text;
  for (Check check : entry.checks) {
    if (verbose) {
      check.name = shown_name(entry, check);
      text += render_check(check, style, check.outcome != Outcome::passed);
      continue;
    }
    const bool told = check.name == "file" || check.name == "blanks" || check.name == "signature";
    // The declaration is of interest when it is wrong; what comes after an empty blank is not reached; beside
    // a cause nothing is that is as it should be, or that the cause has said.
    if (!told || check.outcome == Outcome::skipped || entry.cause ||
        (check.name == "signature" && check.outcome == Outcome::passed) ||
        (check.outcome == Outcome::unsolved && check.name != "blanks"))
      continue;
    const std::string summary = printable(check.summary);
    text += hanging(fmt::format("  {} {:<{}} ", mark(check.outcome, style), check.name, kKindWidth),
                    check.outcome == Outcome::passed ? style.quiet(summary) : summary, kWidth);
  }
  if (verbose) return text;
  return text + render_blanks(entry, style) + folded(entry, "case ", "cases", style) +
         folded(entry, "budget ", "budgets", style);
}

std::string render_same(const EntryReport& entry, const EntryReport& as, const Style& style) {
  return fmt::format("  {} {:<{}} for the same reason as {}\n", mark(entry.outcome, style), entry.entry,
                     kKindWidth, as.entry);
}

std::string render_folded(const EntryReport& entry, const Style& style) {
  std::string what;
  for (const Check& check : entry.checks)
    if (check.outcome == Outcome::unsolved) what = check.summary;
  std::size_t cases = 0;
  for (const Check& check : entry.checks) cases += check.name.starts_with("case ");
  if (what.empty())
    what = fmt::format("{}, {} budgets", cases == 1 ? "1 case" : fmt::format("{} cases", cases),
                       entry.budgets.size());
  return fmt::format("  {} {:<{}} {}\n", mark(entry.outcome, style), entry.entry, kKindWidth,
                     style.quiet(cut_to(printable(what), kNamesWidth)));
}

}  // namespace fusebox
