#include "grader/report/text/changes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "grader/report/text/format.h"

namespace fusebox {
namespace {

constexpr double kSeedsDiffer = 1.05;

struct Pair {
  const EntryReport* before;
  const EntryReport* now;
};

std::vector<Pair> in_both(const Report& before, const Report& now) {
  std::vector<Pair> pairs;
  for (const EntryReport& one : now.entries)
    for (const EntryReport& other : before.entries)
      if (other.entry == one.entry) pairs.push_back({&other, &one});
  return pairs;
}

bool compiled(const Report& report) {
  for (const EntryReport& entry : report.entries)
    for (const Check& check : entry.checks)
      if (check.name == "file") return check.outcome == Outcome::passed;
  return true;
}

const Check* find_check(const EntryReport& entry, const std::string& name) {
  for (const Check& check : entry.checks)
    if (check.name == name) return &check;
  return nullptr;
}

/// Cases and budgets that pass now and did not, and the other way round; of all that were checked both times.
std::string changed_checks(const std::vector<Pair>& pairs) {
  std::size_t gained = 0, lost = 0, all = 0, pass = 0;
  std::string gained_name, lost_name;
  for (const auto& [before, now] : pairs)
    for (const Check& check : now->checks) {
      if (!check.name.starts_with("case ") && !check.name.starts_with("budget ")) continue;
      const Check* old = find_check(*before, check.name);
      const bool was = old && old->outcome == Outcome::passed, is = check.outcome == Outcome::passed;
      ++all;
      pass += is;
      const std::string name = (pairs.size() > 1 ? now->entry + ", " : "") + shown_name(*now, check);
      if (is && !was && gained++ == 0) gained_name = name;
      if (was && !is && lost++ == 0) lost_name = name;
    }
  const auto named = [](std::size_t count, const std::string& name) {
    return count == 1 ? fmt::format(" ({})", name) : std::string();
  };
  if (gained == 0 && lost == 0) return {};
  const std::string more = fmt::format("{} more {}{}", gained, gained == 1 ? "check passes" : "checks pass",
                                       named(gained, gained_name));
  if (lost == 0) return fmt::format("{}, {} of {} now", more, pass, all);
  if (gained == 0)
    return fmt::format("{} that passed {}{}, {} of {} pass now",
                       lost == 1 ? "a check" : fmt::format("{} checks", lost), lost == 1 ? "fails" : "fail",
                       named(lost, lost_name), pass, all);
  return fmt::format("{}, {} no longer {}{}, {} of {} now", more, lost, lost == 1 ? "does" : "do",
                     named(lost, lost_name), pass, all);
}

/// One number that was and is; the farther apart, the more it tells.
struct Change {
  std::string text;
  double ratio = 1;  ///< at first what counts as none
};

void consider(Change& most, double before, double now, const std::string& text) {
  if (before == now) return;
  const double ratio = std::max(before, now) / std::max(std::min(before, now), 0.5);
  if (ratio > most.ratio) most = {text, ratio};
}

std::map<std::string, std::uint64_t> sectors_by_tensor(const SideRun& side) {
  std::map<std::string, std::uint64_t> sectors;
  for (const LaunchRecord& launch : side.launches)
    for (const TensorTraffic& row : launch.tensors)
      sectors[row.tensor] += (row.requested_read + row.requested_write) / 32;
  return sectors;
}

/// The line that moves most of a tensor, by the samples that were kept: first by how often they stand for
/// others, and so by sectors as far as lines alike are concerned. 0: not known.
int line_of(const SideRun& side, const std::string& tensor) {
  std::map<int, std::uint64_t> touched;
  for (const LaunchRecord& launch : side.launches)
    for (const LineTraffic& line : launch.lines)
      for (const AccessSample& sample : launch.samples)
        if (sample.line == line.line && sample.file == line.file && sample.tensor == tensor) {
          touched[line.line] = std::max(touched[line.line], line.sectors);
          break;
        }
  int most = 0;
  for (const auto& [line, sectors] : touched)
    if (most == 0 || sectors > touched[most]) most = line;
  return most;
}

Change changed_sectors(const SideRun& before, const SideRun& now, double none) {
  Change most{"", none};
  const auto old = sectors_by_tensor(before), fresh = sectors_by_tensor(now);
  for (const auto& [tensor, count] : fresh) {
    const auto found = old.find(tensor);
    if (found == old.end()) continue;
    const int line = line_of(now, tensor);
    consider(
        most, static_cast<double>(found->second), static_cast<double>(count),
        fmt::format("sectors of `{}` {} → {}{}", tensor, format_count(found->second, Digits::narrow),
                    format_count(count, Digits::narrow), line > 0 ? fmt::format(", line {}", line) : ""));
  }
  return most;
}

Change changed_metrics(const SideRun& before, const SideRun& now, double none, std::string_view only = {}) {
  Change most{"", none};
  for (const Metric& metric : now.metrics) {
    // What a clock measured differs from run to run.
    if (metric.source == Source::measured || !metric.value || (!only.empty() && metric.tag != only)) continue;
    for (const Metric& old : before.metrics)
      if (old.tag == metric.tag && old.value)
        consider(most, *old.value, *metric.value,
                 fmt::format("{} {} → {}", metric.name, format_metric(old, Digits::narrow),
                             format_metric(metric, Digits::narrow)));
  }
  return most;
}

/// What differs in the learner's counts of an entry: launches before tensors before all else.
std::string changed_counts(const Pair& pair, double none) {
  if (!pair.before->student || !pair.now->student) return {};
  const SideRun &before = *pair.before->student, &now = *pair.now->student;
  if (before.counted_case != now.counted_case) return {};
  for (const Change& change : {changed_metrics(before, now, none, "launches"),
                               changed_sectors(before, now, none), changed_metrics(before, now, none)})
    if (!change.text.empty()) return change.text;
  return {};
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

/// "line 49" or "lines 49 to 53" of the new text; empty where a text is not known or both are the same.
std::string changed_lines(const std::string& before, const std::string& now) {
  if (before.empty() || now.empty()) return {};
  const std::vector<std::string> old = lines_in(before), fresh = lines_in(now);
  std::size_t first = 0, end = 0;
  const std::size_t least = std::min(old.size(), fresh.size());
  while (first < least && old[first] == fresh[first]) ++first;
  while (end < least - first && old[old.size() - 1 - end] == fresh[fresh.size() - 1 - end]) ++end;
  const std::size_t last = fresh.size() - end;
  if (first == fresh.size() && first == old.size()) return {};
  if (last <= first) return fmt::format("what was taken away at line {}", first + 1);
  return last == first + 1 ? fmt::format("line {}", last) : fmt::format("lines {} to {}", first + 1, last);
}

std::string why(const EntryReport& entry) { return entry.cause ? entry.cause->sentence : std::string(); }

}  // namespace

std::string what_changed(const Report& before, const Report& now) {
  const std::vector<Pair> pairs = in_both(before, now);
  if (before.puzzle != now.puzzle || before.device != now.device || pairs.empty()) return {};
  const std::string since = "Since the last run: ";
  if (compiled(before) != compiled(now))
    return since + (compiled(now) ? "it compiles again." : "it no longer compiles.");
  std::vector<std::string> changes;
  if (std::string checks = changed_checks(pairs); !checks.empty()) changes.push_back(std::move(checks));
  const bool same_file = before.file_sha256 == now.file_sha256;
  // Other values of the inputs count a little differently.
  const double none = before.seed == now.seed ? 1 : kSeedsDiffer;
  for (const Pair& pair : pairs) {
    const std::string counts = same_file ? "" : changed_counts(pair, none);
    if (counts.empty()) continue;
    changes.push_back((pairs.size() > 1 ? pair.now->entry + ": " : "") + counts);
    break;
  }
  if (!changes.empty()) return fmt::format("{}{}.", since, fmt::join(changes, "; "));
  if (same_file)
    return since + (before.seed == now.seed ? "nothing changed, not even the file."
                                            : "nothing changed but the seed; the file is the same.");
  for (const auto& [old, one] : pairs)
    if (!why(*one).empty() && !why(*old).empty() && why(*one) != why(*old))
      return since + (pairs.size() > 1 ? one->entry + ": " : "") +
             "the same checks fail, for another reason.";
  const std::string lines = changed_lines(before.source, now.source);
  return since + fmt::format("nothing changed but {}.", lines.empty() ? "the file's text" : lines);
}

}  // namespace fusebox
