#include "grader/cli/workshop/sim/sim_schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "grader/cli/render/render.h"

namespace fusebox {
namespace {

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> without(const std::vector<std::string>& lines,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> rest;
  std::set_difference(lines.begin(), lines.end(), others.begin(), others.end(), std::back_inserter(rest));
  return rest;
}

std::string place_of(const Fault& fault) {
  return fmt::format("{} at {}:{}", fault.kind, fault.file, fault.line);
}

std::vector<std::string> faults_of(const sim::Journal& journal) {
  std::vector<std::string> list;
  for (const LaunchRecord& launch : journal.launches)
    for (const Fault& fault : launch.faults) list.push_back(place_of(fault));
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

/// "3rd copy from the device (1024 bytes)"; empty: the copies are the same.
std::string first_copy(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.size() != b.size())
    return fmt::format("it copies from the device {} times, and in order {} times", b.size(), a.size());
  const auto at = std::mismatch(a.begin(), a.end(), b.begin());
  if (at.first == a.end()) return "";
  return fmt::format("what copy {} from the device brings ({} bytes) differs", at.first - a.begin() + 1,
                     at.first->substr(0, at.first->find(' ')));
}

}  // namespace

std::string difference(const ScheduledRun& first, const ScheduledRun& again, const ScheduledRun& other) {
  if (other.ending != first.ending)
    return again.ending == first.ending
               ? fmt::format("it ends with {}, and in order with {}", other.ending, first.ending)
               : "";
  // Faults before results: they say where.
  const std::vector<std::string> more = without(faults_of(other.journal), faults_of(first.journal));
  if (!more.empty())
    return fmt::format("there is a fault that the run in order does not have: {}", more.front());
  const std::vector<std::string> lines = sorted_lines(first.output), repeated = sorted_lines(again.output),
                                 changed = sorted_lines(other.output);
  const std::size_t noise = without(lines, repeated).size();
  const std::vector<std::string> gone = without(lines, changed), fresh = without(changed, lines);
  if (gone.size() > noise || fresh.size() > noise)
    return fmt::format("its output differs: in order `{}`, here `{}`", gone.empty() ? "" : gone.front(),
                       fresh.empty() ? "" : fresh.front());
  if (!first_copy(first.journal.copies, again.journal.copies).empty()) return "";
  return first_copy(first.journal.copies, other.journal.copies);
}

std::string render_schedules(const ScheduledRun& first, const ScheduledRun& again,
                             const std::vector<ScheduledRun>& others, const std::string& command,
                             const std::string& program, const Style& style) {
  std::size_t differ = 0;
  std::string told;
  for (const ScheduledRun& other : others) {
    const std::string what = difference(first, again, other);
    if (what.empty()) continue;
    if (++differ > 3) continue;  // others would say the same again
    told += fmt::format("\n{} {}\n{}    replay: {} --schedule {} -- {}\n", style.bad("schedule"), other.seed,
                        wrapped(what, kWidth, 4), command, other.seed, program);
  }
  if (differ == 0)
    return fmt::format(
        "\n{}\n",
        style.good(fmt::format("the same results in order and in {} other schedules of warps and blocks",
                               others.size())));
  return told +
         fmt::format(
             "\n{} of {} schedules of warps and blocks change the results, and each of them is one that a GPU may choose\n",
             differ, others.size());
}

}  // namespace fusebox
