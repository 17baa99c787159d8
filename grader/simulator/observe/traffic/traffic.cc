#include "grader/simulator/observe/traffic/traffic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "grader/simulator/observe/requests/banks.h"
#include "grader/simulator/observe/requests/lanes.h"
#include "grader/simulator/observe/traffic/channels.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kNoRange = ~0u;

std::uint64_t sector_of(std::uint64_t address) { return address / kSectorBytes; }

/// Of a load as the assembler has it.
std::uint32_t load_cycles(std::uint32_t wavefronts, std::uint32_t lane_bytes) {
  return wavefronts + (lane_bytes == 16 ? 1 : 0);
}

/// Of a load from global memory that L1 holds (bench/pipes/lines.cu, on an H200): its words meet in banks as
/// those of shared memory do, and a turn looks up four lines, 3.7 of them where they are a power of two apart
/// and 3 where they are drawn. Nothing was measured of more than 16 bytes a lane.
std::uint32_t global_load_cycles(const WarpAccess& access, const Footprint& footprint) {
  constexpr double kLinesOfATurn = 3.3;
  if (footprint.contiguous || access.bytes > 16)
    return (footprint.useful_bytes + kLineBytes - 1) / kLineBytes;
  const auto looked_up = static_cast<std::uint32_t>(std::lround(footprint.lines / kLinesOfATurn));
  return std::max(count_wavefronts(access).wavefronts, looked_up);
}

/// Of an access to local memory in so many requests (bench/pipes/local.cu, on an H200): what is stored goes
/// to L1 by a sector a cycle, and one more for each line where lanes name different places; a load takes one
/// for four lines, and three for each request where it is of 16 bytes a lane.
std::uint64_t local_cycles(std::uint64_t requests, const WarpAccess& access) {
  std::uint64_t sectors = 0, lines = 0;
  const auto word = [&](int lane) { return access.address[lane] / 4; };
  for_each_group(access.lanes, word, [&](LaneMask here) {
    ++lines;
    for (; here != 0; here >>= 8) sectors += (here & 0xff) != 0;  // eight lanes' words lie in one
  });
  if (access.kind == AccessKind::load) return (access.bytes == 16 ? 3 : (lines + 3) / 4) * requests;
  return (sectors + (lines > 1 ? lines : 0)) * requests;
}

/// Of a load that the assembler joins with others.
std::uint32_t load_cycles(const JoinedLoad& joined, const WarpAccess& access) {
  if (joined.bytes == 0) return 0;
  std::uint64_t begin[kWarpSize];
  for_each_lane(access.lanes, [&](int lane) { begin[lane] = access.address[lane] - joined.before; });
  return load_cycles(count_wavefronts(begin, access.lanes, joined.bytes, AccessKind::load).wavefronts,
                     joined.bytes);
}

}  // namespace

Traffic::Traffic(const ptx::Module& module, Reductions reductions)
    : module_(module), reductions_(reductions) {}

void Traffic::Ledger::begin_launch(std::uint8_t launch) {
  requested_read = requested_write = 0;
  read.begin_launch(launch);
  written.begin_launch(launch);
  for (auto& [reduction, map] : reduced) map.begin_launch(launch);
}

void Traffic::Ledger::clear() {
  read.clear();
  written.clear();
  reduced.clear();
}

bool Traffic::Ledger::touches(const TouchedMap& map) const { return read.meets(map) || written.meets(map); }

void Traffic::set_ranges(std::vector<NamedRange> ranges) {
  std::vector<Ledger> ledgers(ranges.size());
  // A buffer that stays keeps its maps: their launch numbers are older than the next one.
  for (std::size_t i = 0, old = 0; i < ranges.size(); ++i) {
    while (old < ranges_.size() && ranges_[old].address < ranges[i].address) ++old;
    if (old < ranges_.size() && ranges_[old].address == ranges[i].address &&
        ranges_[old].bytes == ranges[i].bytes) {
      ledgers[i] = std::move(ledgers_[old]);
    }
  }
  ranges_ = std::move(ranges);
  ledgers_ = std::move(ledgers);
}

void Traffic::restart() {
  ranges_.clear();
  ledgers_.clear();
  code_.clear();
  sites_.clear();
  launch_ = 0;
}

void Traffic::launch_begin(const LaunchInfo& launch) {
  if (++launch_ == 0) {
    for (Ledger& ledger : ledgers_) ledger.clear();
    launch_ = 1;
  }
  for (Ledger& ledger : ledgers_) ledger.begin_launch(launch_);
  code_.clear();
  sites_.clear();
  kernel_ = launch.function;
  find_code(kernel_);
  branches_ = divergent_branches_ = barriers_ = slow_divisions_ = slow_double_divisions_ = 0;
  constant_places_ = divergent_constants_ = 0;
}

Traffic::Code& Traffic::find_code(const ptx::Function* function) {
  for (Code& known : code_) {
    if (known.function == function) return *(code_now_ = &known);
  }
  Code& fresh = code_.emplace_back();
  fresh.function = function;
  // One place behind the last instruction for a function that ends without a ret, and one for the end of that
  // run.
  fresh.site_of.assign((function->instructions.size() + 1) * channels::kCount, nullptr);
  fresh.issues.assign(function->instructions.size() + 2, {});
  auto known = joined_.find(function);
  if (known == joined_.end())
    known = joined_.emplace(function, joined_loads(*function, module_.shared)).first;
  fresh.joined = &known->second;
  return *(code_now_ = &fresh);
}

inline Traffic::Site& Traffic::site(const ptx::Function* function, std::uint32_t instruction,
                                    std::uint8_t channel) {
  Code& executed = code(function);
  Site* const known = executed.site_of[instruction * channels::kCount + channel];
  return known != nullptr ? *known : new_site(executed, instruction, channel);
}

Traffic::Site& Traffic::new_site(Code& executed, std::uint32_t instruction, std::uint8_t channel) {
  Site& fresh = sites_.emplace_back();
  fresh.function = executed.function;
  fresh.instruction = instruction;
  fresh.channel = channel;
  if (channel == channels::kSharedLoad) {
    const auto joined = executed.joined->find(instruction);
    if (joined != executed.joined->end()) fresh.joined = &joined->second;
  }
  if (channel == channels::kGlobalAtomic && reductions_ == Reductions::apart)
    fresh.reduction = reduction_of(executed.function->instructions[instruction]);
  return *(executed.site_of[instruction * channels::kCount + channel] = &fresh);
}

/// Marks the sectors of a request whose lanes all lie in `range`.
inline void Traffic::mark(TouchedMap& map, const NamedRange& range, const WarpAccess& access,
                          const Footprint& footprint) {
  const std::uint64_t first_sector = sector_of(range.address);
  map.reserve(sector_of(range.end() - 1) - first_sector + 1);
  if (footprint.contiguous) {
    map.mark(sector_of(footprint.begin) - first_sector, sector_of(footprint.end - 1) - first_sector);
    return;
  }
  for_each_lane(access.lanes, [&](int lane) {
    const std::uint64_t first = sector_of(access.address[lane]) - first_sector;
    const std::uint64_t last = sector_of(access.address[lane] + access.bytes - 1) - first_sector;
    map.mark(first);
    if (last != first) map.mark(last);
  });
}

/// Books a request whose lanes all lie in one range.
inline void Traffic::enter(std::uint32_t index, const WarpAccess& access, const Footprint& footprint,
                           Reduction reduction) {
  const NamedRange& range = ranges_[index];
  Ledger& ledger = ledgers_[index];
  if (reduction != Reduction::none) {
    ledger.requested_read += footprint.sectors;
    ledger.requested_write += footprint.sectors;
    const auto [map, fresh] = ledger.reduced.try_emplace(reduction);
    if (fresh) map->second.begin_launch(launch_);
    mark(map->second, range, access, footprint);
    return;
  }
  if (access.kind != AccessKind::store) {
    ledger.requested_read += footprint.sectors;
    mark(ledger.read, range, access, footprint);
  }
  if (access.kind != AccessKind::load) {
    ledger.requested_write += footprint.sectors;
    mark(ledger.written, range, access, footprint);
  }
}

inline void Traffic::global(const WarpAccess& access, const Footprint& footprint, Site& site) {
  site.sectors += footprint.sectors;
  site.lines += footprint.lines;
  site.useful_bytes += footprint.useful_bytes;
  site.ideal_sectors += footprint.ideal_sectors;
  if (access.kind == AccessKind::atomic) {
    site.max_lanes_on_one_address = std::max<std::uint64_t>(
        site.max_lanes_on_one_address, max_lanes_on_one_address(access.address, access.lanes));
  }
  if (site.range >= ranges_.size() || !ranges_[site.range].holds(footprint.begin, footprint.end)) {
    const std::uint32_t range = find_range(footprint.begin);
    if (range == kNoRange) site.outside += footprint.sectors, ++site.outside_requests;
    if (range == kNoRange || !ranges_[range].holds(footprint.begin, footprint.end))
      return enter_split(access, site.reduction);
    site.range = range;
  }
  enter(site.range, access, footprint, site.reduction);
}

inline void Traffic::shared(const WarpAccess& access, Site& site) {
  if (access.kind == AccessKind::atomic) {
    const std::uint64_t turns = max_lanes_on_one_address(access.address, access.lanes);
    site.max_lanes_on_one_address = std::max(site.max_lanes_on_one_address, turns);
    site.data_stage_cycles += turns;
    return;
  }
  const Wavefronts here = count_wavefronts(access);
  site.wavefronts += here.wavefronts;
  site.ideal_wavefronts += here.ideal;
  if (site.joined != nullptr)
    site.data_stage_cycles += load_cycles(*site.joined, access);
  else if (access.kind == AccessKind::load)
    site.data_stage_cycles += load_cycles(here.wavefronts, access.bytes);
  else
    site.data_stage_cycles += here.wavefronts;
}

/// Lanes that name one address get it together, and one address after the other is looked up.
void Traffic::constant(const WarpAccess& access) {
  if (access.pattern == AddressPattern::broadcast) return;
  std::uint64_t places = 0;
  for_each_group(
      access.lanes, [&](int lane) { return access.address[lane]; }, [&](LaneMask) { ++places; });
  if (places > 1) constant_places_ += places, ++divergent_constants_;
}

void Traffic::access(const WarpAccess& access) {
  if (access.space == Space::constant) return constant(access);
  if (access.space != Space::global && access.space != Space::shared && access.space != Space::local) return;
  // Of a copy the load from global memory has been counted, and hardware counts no more; what a wgmma reads
  // is no load, and its time is known from its shape.
  if (access.path == AccessPath::copy || is_tensor(access.path)) return;
  Site& here = site(access.warp.function, access.instruction, channels::of(access.space, access.kind));
  // Local memory is laid out by words of all lanes: a wide access is as many requests.
  const std::uint64_t requests = access.space == Space::local && access.bytes > 4 ? access.bytes / 4 : 1;
  here.requests += requests;
  here.lanes += lane_count(access.lanes);
  if (access.space == Space::global) {
    const Footprint footprint = measure(access);
    if (access.kind == AccessKind::load) here.data_stage_cycles += global_load_cycles(access, footprint);
    global(access, footprint, here);
  } else if (access.space == Space::shared) {
    shared(access, here);
  } else {
    here.data_stage_cycles += local_cycles(requests, access);
  }
}

/// The copy engine's work is in no counter of loads and stores; what it does to shared memory is in none at
/// all.
void Traffic::bulk_access(const WarpAccess& part, int) {
  if (part.space != Space::global) return;
  Footprint footprint = measure(part);
  footprint.sectors = bulk_sectors(footprint.begin, footprint.useful_bytes);
  footprint.lines = 0;
  const auto channel = static_cast<std::uint8_t>(channels::kBulk + static_cast<std::uint8_t>(part.kind));
  global(part, footprint, site(part.warp.function, part.instruction, channel));
}

std::uint32_t Traffic::find_range(std::uint64_t address) const {
  const auto behind =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](std::uint64_t a, const NamedRange& range) { return a < range.address; });
  if (behind == ranges_.begin() || address >= (behind - 1)->end()) return kNoRange;
  return static_cast<std::uint32_t>(behind - 1 - ranges_.begin());
}

/// Books a request whose lanes touch several ranges: to each its own lanes.
void Traffic::enter_split(const WarpAccess& access, Reduction reduction) {
  const auto lies_in = [&](const NamedRange& range, int lane) {
    return range.holds(access.address[lane], access.address[lane] + access.bytes);
  };
  WarpAccess part = access;
  for (LaneMask rest = access.lanes; rest; rest &= ~part.lanes) {
    const int first = std::countr_zero(rest);
    part.lanes = LaneMask{1} << first;
    const std::uint32_t range = find_range(access.address[first]);
    if (range == kNoRange || !lies_in(ranges_[range], first)) continue;
    for_each_lane(rest, [&](int lane) {
      if (lies_in(ranges_[range], lane)) part.lanes |= LaneMask{1} << lane;
    });
    part.pattern = AddressPattern::any;
    enter(range, part, measure(part), reduction);
  }
}

void Traffic::executed(const RunCount& run) {
  std::vector<Issues>& issues = code(run.function).issues;
  issues[run.first].warps += run.warps;
  issues[run.first].lanes += run.lanes;
  issues[run.last + 1].warps -= run.warps;
  issues[run.last + 1].lanes -= run.lanes;
  branches_ += run.branches;
  divergent_branches_ += run.divergent;
}

void Traffic::barrier(const WarpId&, std::uint32_t, std::uint32_t, LaneMask) { ++barriers_; }

void Traffic::launch_end() {
  // From differences to counts.
  for (Code& executed : code_) {
    for (std::size_t i = 1; i < executed.issues.size(); ++i) {
      executed.issues[i].warps += executed.issues[i - 1].warps;
      executed.issues[i].lanes += executed.issues[i - 1].lanes;
    }
  }
}

void Traffic::merge(const Traffic& other) {
  for (const Site& theirs : other.sites_) {
    Site& mine = site(theirs.function, theirs.instruction, theirs.channel);
    mine.requests += theirs.requests;
    mine.lanes += theirs.lanes;
    mine.sectors += theirs.sectors;
    mine.lines += theirs.lines;
    mine.useful_bytes += theirs.useful_bytes;
    mine.ideal_sectors += theirs.ideal_sectors;
    mine.outside += theirs.outside;
    mine.outside_requests += theirs.outside_requests;
    mine.wavefronts += theirs.wavefronts;
    mine.ideal_wavefronts += theirs.ideal_wavefronts;
    mine.data_stage_cycles += theirs.data_stage_cycles;
    mine.max_lanes_on_one_address = std::max(mine.max_lanes_on_one_address, theirs.max_lanes_on_one_address);
  }
  for (std::size_t i = 0; i < ledgers_.size(); ++i) {
    ledgers_[i].requested_read += other.ledgers_[i].requested_read;
    ledgers_[i].requested_write += other.ledgers_[i].requested_write;
    ledgers_[i].read.merge(other.ledgers_[i].read);
    ledgers_[i].written.merge(other.ledgers_[i].written);
    for (const auto& [reduction, map] : other.ledgers_[i].reduced) {
      ledgers_[i].read.merge(map);
      ledgers_[i].written.merge(map);
    }
  }
  for (const Code& theirs : other.code_) {
    std::vector<Issues>& mine = code(theirs.function).issues;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      mine[i].warps += theirs.issues[i].warps;
      mine[i].lanes += theirs.issues[i].lanes;
    }
  }
  branches_ += other.branches_;
  divergent_branches_ += other.divergent_branches_;
  barriers_ += other.barriers_;
  slow_divisions_ += other.slow_divisions_;
  slow_double_divisions_ += other.slow_double_divisions_;
  constant_places_ += other.constant_places_;
  divergent_constants_ += other.divergent_constants_;
}

bool Traffic::meets_writes_of(const Traffic& other) const {
  for (std::size_t i = 0; i < ledgers_.size(); ++i) {
    const Ledger &mine = ledgers_[i], &theirs = other.ledgers_[i];
    if (theirs.touches(mine.written) || mine.read.meets(theirs.written)) return true;
    for (const auto& [reduction, map] : theirs.reduced)
      if (mine.touches(map)) return true;
    for (const auto& [reduction, map] : mine.reduced) {
      if (theirs.touches(map)) return true;
      for (const auto& [other_reduction, other_map] : theirs.reduced)
        if (reduction != other_reduction && map.meets(other_map)) return true;
    }
  }
  return false;
}

bool Traffic::was_executed(const ptx::Function& function, std::uint32_t instruction) const {
  return std::any_of(code_.begin(), code_.end(), [&](const Code& executed) {
    return executed.function == &function && executed.issues[instruction].warps != 0;
  });
}

std::uint64_t Traffic::touched(std::size_t range, bool written) const {
  return (written ? ledgers_[range].written : ledgers_[range].read).count();
}

std::uint64_t Traffic::touched_by_both(const Traffic& other, std::size_t range, bool written) const {
  const Ledger &mine = ledgers_[range], &theirs = other.ledgers_[range];
  return written ? mine.written.count_of_both(theirs.written) : mine.read.count_of_both(theirs.read);
}

}  // namespace fusebox::sim
