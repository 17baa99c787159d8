#include "grader/simulator/launch/sampled_launch.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "grader/report/hardware.h"
#include "grader/report/json/json.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kGroups = 8;  // that go through the caches
constexpr std::uint64_t kProbes = 3;
// What the groups may be off the share of the GPU that the caches stand for.
constexpr double kOff = 0.05;

/// Which blocks are run. All groups have `size` blocks; the first kGroups of them are side by side.
struct Groups {
  std::uint64_t size = 0, whole = 0;  ///< so many groups before `rest`
  std::uint64_t probes[kProbes] = {};
  std::uint64_t rest = 0, blocks = 0;  ///< those from `rest` on are run one by one
};

std::optional<Groups> choose_groups(const Dim3& grid, unsigned share) {
  Groups groups;
  groups.blocks = grid.count();
  // Tiles of a matrix differ at its edges: a group has whole rows of them.
  const std::uint64_t unit = std::uint64_t{grid.y} * grid.z > 1 ? grid.x : 1;
  const double wanted = static_cast<double>(groups.blocks) / static_cast<double>(kGroups * share);
  std::uint64_t step = unit;
  if (unit == 1) step = wanted >= 256 ? 32 : wanted >= 64 ? 8 : 1;  // columns cut into tiles repeat so
  groups.size = static_cast<std::uint64_t>(std::llround(wanted / static_cast<double>(step))) * step;
  if (groups.size == 0 || std::abs(static_cast<double>(groups.size) - wanted) > kOff * wanted)
    return std::nullopt;
  const std::uint64_t inner = groups.blocks - std::min(groups.blocks, unit);
  groups.whole = inner / groups.size;
  groups.rest = groups.whole * groups.size;
  for (std::uint64_t i = 0; i < kProbes; ++i) {
    groups.probes[i] = (i + 1) * groups.whole / (kProbes + 1) * groups.size;
    if (groups.probes[i] < (kGroups + i) * groups.size) return std::nullopt;
  }
  return groups;
}

struct Counted {
  Counted(const ptx::Module& module, const std::vector<NamedRange>& ranges) : traffic(module) {
    traffic.set_ranges(ranges);
  }
  Traffic traffic;
  LaunchRecord record;
};

using LineKey = std::pair<std::string, int>;
std::map<LineKey, LineTraffic> lines_of(const LaunchRecord& record) {
  std::map<LineKey, LineTraffic> lines;
  for (const LineTraffic& line : record.lines) lines[{line.file, line.line}] = line;
  return lines;
}
std::map<std::string, TensorTraffic> tensors_of(const LaunchRecord& record) {
  std::map<std::string, TensorTraffic> tensors;
  for (const TensorTraffic& tensor : record.tensors) tensors[tensor.tensor] = tensor;
  return tensors;
}

constexpr std::uint64_t LineTraffic::*kLineFields[] = {
    &LineTraffic::warp_instructions, &LineTraffic::lane_instructions, &LineTraffic::requests,
    &LineTraffic::sectors,           &LineTraffic::ideal_sectors,     &LineTraffic::lanes,
    &LineTraffic::bank_conflicts};

/// Largest values are the same for every number of groups; what is distinct is worked out by buffer.
bool adds_up(const CounterField& field, Counters& counters) {
  const std::uint64_t* value = &field.get(counters);
  return value != &counters.global_atomic.max_lanes_on_one_address &&
         value != &counters.shared_atomic.max_lanes_on_one_address &&
         value != &counters.compulsory_read_bytes && value != &counters.compulsory_write_bytes;
}

/// sum += times x part, but for distinct bytes.
void add(LaunchRecord& sum, const LaunchRecord& part, std::uint64_t times) {
  LaunchRecord copy = part;
  for (const CounterField& field : counter_fields()) {
    std::uint64_t& mine = field.get(sum.counters);
    const std::uint64_t theirs = field.get(copy.counters);
    if (adds_up(field, sum.counters))
      mine += times * theirs;
    else if (&mine != &sum.counters.compulsory_read_bytes && &mine != &sum.counters.compulsory_write_bytes)
      mine = std::max(mine, theirs);
  }
  sum.issue_slots += static_cast<double>(times) * part.issue_slots;
  sum.unit_cycles.add(static_cast<double>(times), part.unit_cycles);
  sum.data_stage_cycles += times * part.data_stage_cycles;
  sum.tensor_cycles += times * part.tensor_cycles;
  auto lines = lines_of(sum);
  for (const LineTraffic& line : part.lines) {
    LineTraffic& mine = lines[{line.file, line.line}];
    mine.file = line.file, mine.line = line.line;
    for (const auto field : kLineFields) mine.*field += times * (line.*field);
  }
  sum.lines.clear();
  for (auto& [where, line] : lines) sum.lines.push_back(std::move(line));
}

/// Is `many` as much as `times` of `one`, in everything that adds up?
bool is_multiple(const LaunchRecord& many, const LaunchRecord& one, std::uint64_t times) {
  LaunchRecord a = many, b = one;
  for (const CounterField& field : counter_fields())
    if (adds_up(field, a.counters) && field.get(a.counters) != times * field.get(b.counters)) return false;
  const auto lines = lines_of(one), more_lines = lines_of(many);
  if (lines.size() != more_lines.size()) return false;
  for (const auto& [where, line] : lines) {
    const auto other = more_lines.find(where);
    if (other == more_lines.end()) return false;
    for (const auto field : kLineFields)
      if (other->second.*field != times * (line.*field)) return false;
  }
  const auto tensors = tensors_of(one), more_tensors = tensors_of(many);
  if (tensors.size() != more_tensors.size()) return false;
  return std::all_of(tensors.begin(), tensors.end(), [&](const auto& each) {
    const auto other = more_tensors.find(each.first);
    return other != more_tensors.end() &&
           other->second.requested_read == times * each.second.requested_read &&
           other->second.requested_write == times * each.second.requested_write;
  });
}

/// How the groups of a launch share the sectors of one buffer.
struct Division {
  std::uint64_t sectors = 0;  ///< distinct, of the whole launch
  bool common = false;        ///< every group touches the same ones
};

/// Nothing when it is neither one nor the other.
std::optional<Division> divide(const Groups& groups, const Counted& first, const std::vector<Counted>& probes,
                               const Counted& rest, std::size_t range, bool written) {
  const auto touched = [&](const Counted& c) { return c.traffic.touched(range, written); };
  const auto meet = [&](const Counted& a, const Counted& b) {
    return a.traffic.touched_by_both(b.traffic, range, written);
  };
  const std::uint64_t of_group = touched(probes.front()), of_rest = touched(rest);
  if (of_group == 0 && touched(first) == 0) return Division{of_rest, false};
  bool common = touched(first) == of_group && meet(rest, first) == of_rest;
  bool apart = touched(first) == kGroups * of_group && meet(rest, first) == 0;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    common = common && meet(probes[i], first) == of_group;
    apart = apart && touched(probes[i]) == of_group && meet(probes[i], first) == 0 &&
            meet(probes[i], rest) == 0 && (i == 0 || meet(probes[i], probes[i - 1]) == 0);
  }
  if (common) return Division{of_group, true};
  if (!apart) return std::nullopt;
  return Division{groups.whole * of_group + of_rest, false};
}

std::uint64_t scaled(std::uint64_t value, double by) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * by));
}

CacheTraffic scale(const CacheTraffic& part, double by, std::uint64_t read_once, std::uint64_t warps) {
  CacheTraffic all = part;
  for (std::uint64_t CacheTraffic::*field : kOfBlocks) all.*field = scaled(part.*field, by);
  all.atomic_turns *= by;
  all.busiest_atomic_turns *= by;
  all.dram_read_bytes = scaled(part.dram_read_bytes - read_once, by) + read_once;
  all.warps = warps;
  return all;
}

}  // namespace

std::optional<SampledLaunch> run_sampled(const LaunchInfo& info, unsigned share, const ptx::Module& module,
                                         const std::vector<NamedRange>& ranges, Caches& caches,
                                         const RunBlocks& run) {
  const auto groups = choose_groups(info.grid, share);
  if (!groups) return std::nullopt;
  Counted first(module, ranges), rest(module, ranges);
  std::vector<Counted> probes;
  for (std::uint64_t i = 0; i < kProbes; ++i) probes.emplace_back(module, ranges);
  const auto count = [&](std::uint64_t from, std::uint64_t blocks, Counted& counted, Caches* through) {
    if (!run(from, blocks, counted.traffic, through)) return false;
    counted.traffic.fill(counted.record);
    return true;
  };
  caches.watch(ranges);
  if (!count(0, kGroups * groups->size, first, &caches)) return std::nullopt;
  const CacheTraffic modelled = caches.traffic();
  const std::vector<std::uint64_t> dram_reads = caches.watched();
  for (std::uint64_t i = 0; i < kProbes; ++i)
    if (!count(groups->probes[i], groups->size, probes[i], nullptr) ||
        !is_multiple(first.record, probes[i].record, kGroups))
      return std::nullopt;
  if (!count(groups->rest, groups->blocks - groups->rest, rest, nullptr)) return std::nullopt;

  SampledLaunch all;
  add(all.numbers, probes.front().record, groups->whole);
  add(all.numbers, rest.record, 1);
  const auto of_group = tensors_of(probes.front().record), of_rest = tensors_of(rest.record);
  std::uint64_t read_once = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto reads = divide(*groups, first, probes, rest, i, false),
               writes = divide(*groups, first, probes, rest, i, true);
    if (!reads || !writes) return std::nullopt;
    TensorTraffic tensor;
    tensor.tensor = ranges[i].name;
    tensor.buffer_bytes = ranges[i].bytes;
    for (const auto& [part, times] :
         {std::pair(&of_group, groups->whole), std::pair(&of_rest, std::uint64_t{1})})
      if (const auto found = part->find(tensor.tensor); found != part->end()) {
        tensor.requested_read += times * found->second.requested_read;
        tensor.requested_write += times * found->second.requested_write;
      }
    tensor.compulsory_read = kSectorBytes * reads->sectors;
    tensor.compulsory_write = kSectorBytes * writes->sectors;
    // More than there is: groups that are far apart meet after all.
    if (std::max(tensor.compulsory_read, tensor.compulsory_write) >
        tensor.buffer_bytes + std::uint64_t{2} * kSectorBytes)
      return std::nullopt;
    if (reads->common) read_once += dram_reads[i];
    all.numbers.counters.compulsory_read_bytes += tensor.compulsory_read;
    all.numbers.counters.compulsory_write_bytes += tensor.compulsory_write;
    if (tensor.requested_read != 0 || tensor.requested_write != 0)
      all.numbers.tensors.push_back(std::move(tensor));
  }
  all.blocks_run = (kGroups + kProbes) * groups->size + groups->blocks - groups->rest;
  const std::uint64_t warps = warps_of(info.block.count());
  all.traffic =
      scale(modelled, static_cast<double>(groups->blocks) / static_cast<double>(kGroups * groups->size),
            read_once, groups->blocks * warps);
  return all;
}

}  // namespace fusebox::sim
