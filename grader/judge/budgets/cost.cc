#include "grader/judge/budgets/cost.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "grader/judge/budgets/ledger.h"
#include "grader/report/text/format.h"

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
  std::uint64_t sectors = 0, ideal = 0, requests = 0;
  std::uint32_t lane_bytes = 0;  ///< the most that a lane asks for at a time; 0: no access of it was kept
  bool loads = false;
  std::set<std::string> tensors, apart;  ///< all, and those on which the lanes of a request stand apart
  std::uint64_t wasted() const { return sectors > ideal ? sectors - ideal : 0; }
};

/// Do the lanes of this request stand apart?
bool stands_apart(const AccessSample& sample) {
  std::set<std::int64_t> sectors;
  double bytes = 0;
  for (const std::int64_t offset : sample.offsets)
    if (offset >= 0) sectors.insert(offset / 32), bytes += sample.bytes;
  return static_cast<double>(sectors.size()) >= kApart * std::max(1.0, bytes / 32);
}

std::map<int, OfLine> by_line(const SideRun& run) {
  std::map<int, OfLine> all;
  for (const LaunchRecord& launch : run.launches) {
    for (const LineTraffic& l : launch.lines)
      if (l.sectors > 0) {
        OfLine& of = all[l.line];
        of.sectors += l.sectors, of.ideal += l.ideal_sectors, of.requests += l.requests;
      }
    for (const AccessSample& sample : launch.samples)
      if (const auto of = all.find(sample.line); !sample.tensor.empty() && of != all.end()) {
        of->second.tensors.insert(sample.tensor);
        if (stands_apart(sample)) of->second.apart.insert(sample.tensor);
        of->second.lane_bytes = std::max(of->second.lane_bytes, sample.bytes);
        of->second.loads = of->second.loads || sample.kind == "load";
      }
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
      worst->first, of.apart.empty() ? "" : " on " + named(of.apart), sectors_text(of.sectors),
      sectors_text(of.ideal), times);
  return cause;
}

/// Sectors that a run's bytes fill, and those that it asks for over these.
struct Sectors {
  double ideal = 0, over_ideal = 1;
};
Sectors sectors_of(const SideRun& run) {
  std::uint64_t sectors = 0, ideal = 0;
  for (const auto& [line, of] : by_line(run)) sectors += of.sectors, ideal += of.ideal;
  if (ideal == 0) return {};
  return {static_cast<double>(ideal), static_cast<double>(sectors) / static_cast<double>(ideal)};
}

/// Lanes of the reference may stand apart too; then that is not what costs more than it, nor where the same
/// is asked for more often by a larger factor than lanes stand further apart.
bool as_coalesced(const SideRun& student, const SideRun* reference) {
  if (!reference) return false;
  const Sectors mine = sectors_of(student), theirs = sectors_of(*reference);
  // How often a buffer has to be read that the reference does not have, nobody knows.
  const auto known = by_tensor(*reference), own = by_tensor(student);
  const bool knows_all =
      std::all_of(own.begin(), own.end(), [&](const auto& of) { return known.contains(of.first); });
  const double more = knows_all ? mine.ideal / std::max(theirs.ideal, 1.0) : 1;
  return mine.over_ideal <= std::max(1.1, more) * theirs.over_ideal;
}

/// ", 32 words apart,": how the lanes of a line stand in shared memory; empty where they stand in no one way.
std::string stride_of(const SideRun& run, int line) {
  for (const LaunchRecord& launch : run.launches)
    for (const AccessSample& sample : launch.samples) {
      if (sample.line != line || sample.space != "shared" || sample.offsets.size() < 2) continue;
      const std::int64_t apart = sample.offsets[1] - sample.offsets[0];
      bool even = apart > 4 && apart % 4 == 0;
      for (std::size_t lane = 1; even && lane < sample.offsets.size(); ++lane)
        even = sample.offsets[lane] - sample.offsets[lane - 1] == apart;
      if (even) return fmt::format(", {} words apart,", apart / 4);
    }
  return "";
}

/// The line with most of the wavefronts that bank conflicts add.
CostCause conflicts(const SideRun& student) {
  std::map<int, std::uint64_t> lines;
  std::uint64_t all = 0;
  for (const LaunchRecord& launch : student.launches)
    for (const LineTraffic& l : launch.lines) lines[l.line] += l.bank_conflicts, all += l.bank_conflicts;
  const auto worst = std::max_element(lines.begin(), lines.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  if (worst == lines.end() || worst->second == 0) return {};
  CostCause cause;
  cause.line = worst->first;
  cause.sentence = fmt::format(
      "Line {} has bank conflicts: the lanes of a warp{} ask for different words of the same banks, and take turns. It takes {} wavefronts more than its words need{}.",
      worst->first, stride_of(student, worst->first), sectors_text(worst->second),
      worst->second == all ? "" : fmt::format(", of {} in all", sectors_text(all)));
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
    // The reference may keep the same in buffers of other names, and of other sizes.
    const bool theirs_too = std::any_of(theirs.begin(), theirs.end(),
                                        [&](const auto& tensor) { return !mine.contains(tensor.first); });
    cause.sentence =
        fmt::format("`{}` ({}) is a buffer {}: it is written {:.1f} times and read {:.1f} times over.", worst,
                    bytes_text(of.bytes), theirs_too ? "of your own" : "that need not be",
                    passes_over(written, of.bytes), passes_over(read, of.bytes));
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

/// The line with the most requests, and how many bytes a lane asks for in one.
CostCause many_requests(const BudgetLine& line, const SideRun& student) {
  const auto lines = by_line(student);
  const auto most = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.requests < b.second.requests;
  });
  if (most == lines.end() || most->second.requests == 0 || most->second.lane_bytes == 0) return {};
  constexpr std::uint32_t kLargest = 16;  // bytes that one lane can ask for at once
  const OfLine& of = most->second;
  CostCause cause;
  cause.line = most->first;
  const std::string all = format_metric(line.student), mine = format_count(of.requests, Digits::narrow);
  cause.sentence = fmt::format(
      "Line {} makes {} requests{}, with {} bytes for each lane{}.", most->first,
      mine == all ? "all " + all : fmt::format("{} of the {}", mine, all),
      of.tensors.empty() ? "" : ", on " + named(of.tensors), of.lane_bytes,
      of.lane_bytes < kLargest ? fmt::format(": {} bytes, a float4, are one request too", kLargest) : "");
  return cause;
}

/// Times that a warp waits for memory, and what is under way meanwhile.
CostCause many_waits(const BudgetLine& line, const SideRun& student, const SideRun* reference) {
  const auto bytes_a_wait = [](const SideRun& run) {
    std::uint64_t bytes = 0, waits = 0;
    for (const LaunchRecord& launch : run.launches)
      bytes += launch.counters.global_load.useful_bytes, waits += launch.model ? launch.model->waits : 0;
    return waits == 0 ? 0.0 : static_cast<double>(bytes) / static_cast<double>(waits);
  };
  const double mine = bytes_a_wait(student), theirs = reference ? bytes_a_wait(*reference) : 0;
  if (mine <= 0 || theirs <= mine) return {};
  CostCause cause;
  cause.sentence = fmt::format(
      "Warps wait for memory {} times, each time with {} under way, where the reference's have {}: too few loads come before the first use or store of what was loaded.",
      format_metric(line.student), format_bytes(mine), format_bytes(theirs));
  cause.details.push_back(
      "No load is moved in front of a store that may be to its place: of pointers that are not __restrict__, any store.");
  std::uint64_t most = 0;
  for (const auto& [number, of] : by_line(student))
    if (of.loads && of.requests > most) most = of.requests, cause.line = number;
  return cause;
}

/// Arithmetic beyond the reference's.
CostCause more_work(const BudgetLine& line) {
  if (!line.student.value || line.reference.value_or(0) <= 0) return {};
  CostCause cause;
  cause.sentence = fmt::format(
      "The kernels carry out {} floating-point operations, {:.1f} times as many as the reference: they compute what nobody looks at, or the same more than once.",
      format_metric(line.student), *line.student.value / *line.reference);
  return cause;
}

CostCause more_matrix_work(const BudgetLine& line) {
  CostCause cause;
  cause.sentence = fmt::format(
      "Tensor cores carry out {} operations where {} are enough: the kernels compute what nobody looks at, or the same more than once.",
      format_metric(line.student), format_value(line.student.unit, line.limit));
  return cause;
}

CostCause more_launches(const BudgetLine& line, const SideRun& student) {
  std::vector<std::pair<std::string, int>> times;  // in the order of their first launch
  for (const LaunchRecord& launch : student.launches) {
    if (!is_kernel(launch)) continue;
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

/// The kernel whose blocks keep most in shared memory, and for how many threads.
CostCause shared_memory(const BudgetLine& line, const SideRun& student) {
  const auto kept = [](const LaunchRecord& l) { return l.static_shared_bytes + l.dynamic_shared_bytes; };
  const auto most = std::max_element(student.launches.begin(), student.launches.end(),
                                     [&](const auto& a, const auto& b) { return kept(a) < kept(b); });
  if (most == student.launches.end() || kept(*most) == 0) return {};
  const std::uint64_t threads = std::uint64_t{most->block[0]} * most->block[1] * most->block[2];
  CostCause cause;
  cause.sentence =
      fmt::format("A block of {} keeps {} in shared memory, for {} threads, where {} are enough.",
                  most->kernel, bytes_text(static_cast<std::uint64_t>(kept(*most))), threads,
                  format_value(line.student.unit, line.limit));
  return cause;
}

/// Which tensors are updated atomically, and how often.
CostCause many_atomics(const BudgetLine& line, const SideRun& student) {
  std::set<std::string> tensors;
  CostCause cause;
  for (const LaunchRecord& launch : student.launches)
    for (const AccessSample& sample : launch.samples)
      if (sample.kind == "atomic" && sample.space != "shared" && !sample.tensor.empty()) {
        tensors.insert(sample.tensor);
        if (cause.line == 0) cause.line = sample.line;
      }
  const std::string of = tensors.empty() ? "" : " of " + named(tensors);
  cause.sentence =
      line.limit == 0
          ? fmt::format("Warps update memory{} atomically {} times, and this is to be done without atomics.",
                        of, format_metric(line.student))
          : fmt::format(
                "Warps update memory{} atomically {} times, where {} are enough: more can be added up in registers before.",
                of, format_metric(line.student), format_value(line.student.unit, line.limit));
  return cause;
}

/// The launch whose threads have most registers, and how many of them an SM holds at most.
CostCause many_registers(const SideRun& student) {
  const auto most = std::max_element(student.launches.begin(), student.launches.end(),
                                     [](const auto& a, const auto& b) { return a.registers < b.registers; });
  if (most == student.launches.end() || !most->registers || !most->model) return {};
  const Occupancy& holds = most->model->occupancy;
  if (holds.limited_by != "registers") return {};
  CostCause cause;
  cause.sentence = fmt::format(
      "A thread of {} has {} registers, so that an SM holds {} threads of it: keep less at a time.",
      most->kernel, *most->registers, 32 * holds.warps_per_sm);
  return cause;
}

/// The kernel whose threads need more registers than they may have.
CostCause spilled(const SideRun& student) {
  const auto most =
      std::max_element(student.launches.begin(), student.launches.end(),
                       [](const auto& a, const auto& b) { return a.spill_bytes < b.spill_bytes; });
  if (most == student.launches.end() || !most->spill_bytes || !most->registers) return {};
  CostCause cause;
  cause.sentence = fmt::format(
      "A thread of {} keeps more than its {} registers hold, so the assembler spills the rest to memory: keep less at a time, or allow smaller blocks only (__launch_bounds__).",
      most->kernel, *most->registers);
  return cause;
}

}  // namespace

CostCause explain_cost(const BudgetLine& line, const SideRun& student, const SideRun* reference) {
  const std::string& tag = line.student.tag;
  CostCause cause;
  if (tag == "launches") cause = more_launches(line, student);
  if (tag == "shared_bytes") cause = shared_memory(line, student);
  if (tag == "intermediate_bytes")
    cause.sentence = fmt::format("The host function allocates {} of its own, where {} {} enough.",
                                 format_metric(line.student), format_value(line.student.unit, line.limit),
                                 line.limit == 0 ? "is" : "are");
  if (tag == "local_requests")
    cause.sentence =
        "An array of each thread lies in local memory, which is DRAM behind caches, and not in registers: those have no index at run time, so loops over the array must be of constant length and unrolled.";
  if (tag == "registers") cause = many_registers(student);
  if (tag == "spill_bytes") cause = spilled(student);
  if (tag == "sectors_over_ideal") cause = apart(student);
  if (tag == "bytes.requested") {
    cause = apart(student);
    CostCause by_passes = more_passes(student, reference, false);
    if (cause.sentence.empty() || (!by_passes.sentence.empty() && as_coalesced(student, reference)))
      cause = std::move(by_passes);
    else if (!by_passes.sentence.empty())
      cause.details.push_back(std::move(by_passes.sentence));
  }
  if (tag == "requests") cause = many_requests(line, student);
  if (tag == "atomics") cause = many_atomics(line, student);
  if (tag == "flops") cause = more_work(line);
  if (tag == "matrix_flops") cause = more_matrix_work(line);
  if (tag == "waits") cause = many_waits(line, student, reference);
  if (tag == "bank_conflicts") cause = conflicts(student);
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
