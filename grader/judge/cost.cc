#include "grader/judge/cost.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "grader/report/format.h"

namespace fusebox {
namespace {

/// A line whose sectors are so many times what its bytes fill is not coalesced; a misaligned row is below it.
constexpr double kApart = 1.5;

struct OfTensor {
  std::uint64_t bytes = 0, read = 0, written = 0, read_once = 0, written_once = 0;
};

std::map<std::string, OfTensor> by_tensor(const SideRun& run) {
  std::map<std::string, OfTensor> all;
  for (const LaunchRecord& launch : run.launches)
    for (const TensorTraffic& t : launch.tensors) {
      OfTensor& of = all[t.tensor];
      of.bytes = t.buffer_bytes;
      of.read += t.requested_read, of.written += t.requested_write;
      of.read_once += t.compulsory_read, of.written_once += t.compulsory_write;
    }
  return all;
}

struct OfLine {
  std::uint64_t sectors = 0, ideal = 0;
  std::set<std::string> tensors;
  std::uint64_t wasted() const { return sectors > ideal ? sectors - ideal : 0; }
};

std::map<int, OfLine> by_line(const SideRun& run) {
  std::map<int, OfLine> all;
  for (const LaunchRecord& launch : run.launches) {
    for (const LineTraffic& l : launch.lines)
      if (l.sectors > 0) all[l.line].sectors += l.sectors, all[l.line].ideal += l.ideal_sectors;
    for (const AccessSample& sample : launch.samples)
      if (!sample.tensor.empty() && all.contains(sample.line)) all[sample.line].tensors.insert(sample.tensor);
  }
  return all;
}

std::string sectors_text(std::uint64_t value) { return format_count(value, Digits::narrow); }
std::string bytes_text(std::uint64_t value) { return format_bytes(static_cast<double>(value)); }

/// "`x` and `out`"
std::string named(const std::set<std::string>& tensors) {
  std::vector<std::string> quoted;
  for (const std::string& tensor : tensors) quoted.push_back(fmt::format("`{}`", tensor));
  return fmt::format("{}", fmt::join(quoted, " and "));
}

double passes_over(std::uint64_t moved, std::uint64_t size) {
  return size == 0 ? 0 : static_cast<double>(moved) / static_cast<double>(size);
}

/// Lanes that stand apart: the line that wastes most. Empty when none does.
CostCause apart(const SideRun& student) {
  const auto lines = by_line(student);
  const auto worst = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.wasted() < b.second.wasted();
  });
  if (worst == lines.end() || worst->second.ideal == 0) return {};
  const OfLine& of = worst->second;
  const double times = static_cast<double>(of.sectors) / static_cast<double>(of.ideal);
  if (times < kApart) return {};
  CostCause cause;
  cause.line = worst->first;
  cause.sentence = fmt::format(
      "Line {} is not coalesced{}: the lanes of a warp stand apart, so it asks for {} sectors where its bytes fill {}, {:.1f} times as many.",
      worst->first, of.tensors.empty() ? "" : " on " + named(of.tensors), sectors_text(of.sectors),
      sectors_text(of.ideal), times);
  return cause;
}

/// The tensor that is asked for most beyond the reference, and by how many passes.
CostCause more_passes(const SideRun& student, const SideRun* reference, bool once) {
  const auto mine = by_tensor(student);
  const auto theirs = reference ? by_tensor(*reference) : std::map<std::string, OfTensor>{};
  std::string worst;
  std::uint64_t most = 0;
  const auto moved = [&](const OfTensor& of) {
    return once ? of.read_once + of.written_once : of.read + of.written;
  };
  for (const auto& [tensor, of] : mine) {
    const auto other = theirs.find(tensor);
    const std::uint64_t allowed = other == theirs.end() ? 0 : moved(other->second);
    if (moved(of) > allowed && moved(of) - allowed > most) most = moved(of) - allowed, worst = tensor;
  }
  if (worst.empty()) return {};
  const OfTensor& of = mine.at(worst);
  const auto other = theirs.find(worst);
  const std::uint64_t read = once ? of.read_once : of.read, written = once ? of.written_once : of.written;
  CostCause cause;
  if (other == theirs.end()) {
    cause.sentence = fmt::format(
        "`{}` ({}) is a buffer that need not be: it is written {:.1f} times and read {:.1f} times over.",
        worst, bytes_text(of.bytes), passes_over(written, of.bytes), passes_over(read, of.bytes));
    return cause;
  }
  const std::uint64_t their_read = once ? other->second.read_once : other->second.read,
                      their_written = once ? other->second.written_once : other->second.written;
  const bool reads = read - std::min(read, their_read) >= written - std::min(written, their_written);
  cause.sentence = fmt::format(
      "`{}` is {} {:.1f} times over, where {:.1f} {} enough: {} more than the reference.", worst,
      reads ? "read" : "written", passes_over(reads ? read : written, of.bytes),
      passes_over(reads ? their_read : their_written, of.bytes),
      passes_over(reads ? their_read : their_written, of.bytes) == 1 ? "is" : "are", bytes_text(most));
  return cause;
}

CostCause more_launches(const BudgetLine& line, const SideRun& student) {
  std::vector<std::pair<std::string, int>> times;  // in the order of their first launch
  for (const LaunchRecord& launch : student.launches) {
    if (launch.kernel.empty()) continue;
    const auto same = [&](const auto& each) { return each.first == launch.kernel; };
    const auto found = std::find_if(times.begin(), times.end(), same);
    if (found == times.end())
      times.emplace_back(launch.kernel, 1);
    else
      ++found->second;
  }
  std::vector<std::string> kernels;
  for (const auto& [kernel, count] : times)
    kernels.push_back(count == 1 ? kernel : fmt::format("{} {} times", kernel, count));
  CostCause cause;
  cause.sentence = fmt::format("{} kernels are launched where {} {} enough{}{}.", format_metric(line.student),
                               format_value(line.student.unit, line.limit), line.limit == 1 ? "is" : "are",
                               kernels.empty() ? "" : ": ", fmt::join(kernels, ", "));
  return cause;
}

}  // namespace

CostCause explain_cost(const BudgetLine& line, const SideRun& student, const SideRun* reference) {
  const std::string& tag = line.student.tag;
  CostCause cause;
  if (tag == "launches") cause = more_launches(line, student);
  if (tag == "intermediate_bytes")
    cause.sentence = fmt::format("The host function allocates {} of its own, where {} {} enough.",
                                 format_metric(line.student), format_value(line.student.unit, line.limit),
                                 line.limit == 0 ? "is" : "are");
  if (tag == "local_requests")
    cause.sentence =
        "An array of each thread lies in local memory, which is DRAM behind caches, and not in registers: those have no index at run time, so loops over the array must be of constant length and unrolled.";
  if (tag == "sectors_over_ideal") cause = apart(student);
  if (tag == "bytes.requested") {
    cause = apart(student);
    CostCause by_passes = more_passes(student, reference, false);
    if (cause.sentence.empty())
      cause = std::move(by_passes);
    else if (!by_passes.sentence.empty())
      cause.details.push_back(std::move(by_passes.sentence));
  }
  if (tag == "bytes.compulsory") cause = more_passes(student, reference, true);
  const std::string numbers =
      fmt::format("{}: {}, allowed {}.", line.student.name, format_metric(line.student),
                  format_value(line.student.unit, line.limit));
  if (cause.sentence.empty())
    cause.sentence = numbers;
  else
    cause.details.insert(cause.details.begin(), numbers);
  return cause;
}

}  // namespace fusebox
