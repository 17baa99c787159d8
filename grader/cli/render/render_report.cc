#include "grader/cli/render/render_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "grader/cli/render/render.h"
#include "grader/cli/render/render_entry.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

constexpr std::size_t kMaxWarnings = 2, kLastLines = 2;

std::string_view without_margin(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

/// A case failed, or nothing could be run: numbers of such a file would only be in the way.
bool has_wrong_case(const Report& report) {
  for (const EntryReport& entry : report.entries)
    for (const Check& check : entry.checks)
      if (check.outcome == Outcome::failed && !check.name.starts_with("budget ")) return true;
  return false;
}

bool has_failed(const Report& report) {
  return std::any_of(report.entries.begin(), report.entries.end(),
                     [](const EntryReport& entry) { return entry.outcome == Outcome::failed; });
}

/// The entry before this one that failed for the same reason.
const EntryReport* same_cause(const Report& report, const EntryReport& entry) {
  for (const EntryReport& other : report.entries) {
    if (&other == &entry) break;
    if (entry.cause && other.cause && other.cause->sentence == entry.cause->sentence) return &other;
  }
  return nullptr;
}

std::string render_warnings(const Report& report, const Style& style, bool verbose) {
  const std::vector<std::string> warnings = warnings_of(report);
  const std::size_t shown = verbose ? warnings.size() : std::min(warnings.size(), kMaxWarnings);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += style.open(wrapped("warning: " + printable(warnings[i]), kWidth, 2));
  if (shown < warnings.size())
    text += style.quiet(fmt::format("  and {} more warnings: -v shows them\n", warnings.size() - shown));
  return text;
}

/// The verdict's sentence; where its entry has been told it in full above, the beginning is repeated.
std::string render_last(const Report& report, const Style& style) {
  bool told = false;
  for (const EntryReport& entry : report.entries)
    told |= entry.cause && report.verdict_text.ends_with(entry.cause->sentence);
  Report brief = report;
  const std::string lines = wrapped(printable(report.verdict_text), kWidth - 4);
  if (told && lines_of(lines) > kLastLines) {
    brief.verdict_text = first_lines(lines, kLastLines);
    brief.verdict_text.back() = ' ';
    brief.verdict_text += "...";
  }
  return render_verdict(brief, style);
}

}  // namespace

std::vector<std::string> warnings_of(const Report& report) {
  std::set<std::string, std::less<>> given;
  if (const auto skeleton = strip_blanks(report.reference_source)) {
    std::istringstream lines(*skeleton);
    for (std::string line; std::getline(lines, line);) given.emplace(without_margin(line));
  }
  std::vector<std::string> source;
  std::istringstream lines(report.source);
  for (std::string line; std::getline(lines, line);) source.push_back(line);

  std::vector<std::string> warnings;
  for (const std::string& message : report.compiler_messages) {
    // "puzzles/p20.cu:49:3: warning: ..."; of other files nothing is the learner's.
    const std::size_t at = message.find(": warning: ");
    if (at == std::string::npos || !message.starts_with(report.file + ":")) continue;
    const std::size_t number = static_cast<std::size_t>(std::atol(message.c_str() + report.file.size() + 1));
    if (number == 0 || (number <= source.size() && given.contains(without_margin(source[number - 1]))))
      continue;
    std::string text = fmt::format("line {}: {}", number, message.substr(at + 11));
    if (std::find(warnings.begin(), warnings.end(), text) == warnings.end())
      warnings.push_back(std::move(text));
  }
  return warnings;
}

std::string render_report(const Report& report, const Around& around, const Style& style, bool verbose) {
  const bool failed = has_failed(report);
  std::vector<std::string> heads, checks;
  std::size_t causes = 0, taken = lines_of(render_title(report, style));
  for (const EntryReport& entry : report.entries) {
    std::string head, body;
    if (!verbose && failed && entry.outcome != Outcome::failed) {
      body = render_folded(entry, style);
    } else if (const EntryReport* other = verbose ? nullptr : same_cause(report, entry)) {
      body = render_same(entry, *other, style);
    } else {
      head = "\n" + style.strong(entry.entry) + "\n";
      body = render_checks(entry, style, verbose);
      causes += entry.cause.has_value();
    }
    taken += lines_of(head) + lines_of(body);
    heads.push_back(std::move(head));
    checks.push_back(std::move(body));
  }
  std::string rest = render_warnings(report, style, verbose);
  if (verbose || !has_wrong_case(report)) {
    // One that is right and too dear is told by the budgets that it exceeds.
    const bool only_over = failed && !verbose;
    for (const std::string& part :
         {render_numbers(report, style, only_over), only_over ? std::string() : render_ledger(report, style)})
      if (!part.empty()) rest += "\n" + part;
  }
  rest += "\n";
  if (!around.next.empty()) rest += style.quiet(around.next) + "\n";
  for (const std::string& sentence : {around.changed, around.predicted})
    if (!sentence.empty()) rest += wrapped(printable(sentence), kWidth);
  rest += render_last(report, style);

  taken += lines_of(rest);
  std::size_t room = kLines > taken ? (kLines - taken) / std::max<std::size_t>(causes, 1) : 0;
  room = verbose ? SIZE_MAX : std::max(room, kMinCauseLines);
  std::string text;
  // Entries in a line each come after those that say more.
  for (const bool told : {true, false})
    for (std::size_t i = 0; i < heads.size(); ++i) {
      if (heads[i].empty() == told) continue;
      text += heads[i];
      if (told && report.entries[i].cause) text += render_cause(*report.entries[i].cause, style, room);
      text += checks[i];
    }
  return text + rest;
}

}  // namespace fusebox
