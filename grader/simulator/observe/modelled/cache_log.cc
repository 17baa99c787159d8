#include "grader/simulator/observe/modelled/cache_log.h"

#include <algorithm>

#include "grader/simulator/exec/state/reduction.h"
#include "grader/simulator/observe/modelled/load_depths.h"
#include "grader/simulator/observe/requests/lanes.h"
#include "grader/simulator/observe/requests/sectors.h"
#include "grader/simulator/observe/requests/uniform_atomics.h"

namespace fusebox::sim {
namespace {

/// The lines of one request, with the sectors touched of each and the words that are touched whole.
struct Lines {
  std::uint64_t line[2 * kWarpSize];
  SectorCache::Sectors touched[2 * kWarpSize];
  std::uint32_t words[2 * kWarpSize];
  int count = 0;
  std::uint64_t behind = 0;  ///< the highest line, plus one: most lanes go up, and need not search

  /// Every byte of [begin, end), of at most 16 x 32 bytes.
  void add_run(std::uint64_t begin, std::uint64_t end) {
    constexpr std::uint64_t kLine = SectorCache::kLineBytes;
    const auto low_bits = [](std::uint64_t n) { return n >= 32 ? ~0u : (1u << n) - 1; };
    for (std::uint64_t number = begin / kLine; number * kLine < end; ++number, ++count) {
      const std::uint64_t first = std::max(begin, number * kLine) - number * kLine,
                          behind = std::min(end, (number + 1) * kLine) - number * kLine;
      line[count] = number;
      touched[count] = static_cast<SectorCache::Sectors>(
          low_bits((behind + kSectorBytes - 1) / kSectorBytes) & ~low_bits(first / kSectorBytes));
      words[count] = low_bits(behind / 4) & ~low_bits((first + 3) / 4);
    }
  }

  void add(std::uint64_t address, std::uint32_t width) {
    for (std::uint64_t end = address + width; address < end;) {
      const std::uint64_t number = address / SectorCache::kLineBytes,
                          sector_end = (address / kSectorBytes + 1) * kSectorBytes;
      const auto part = static_cast<std::uint32_t>(std::min(end, sector_end) - address);
      int at = number >= behind ? -1 : count - 1;
      while (at >= 0 && line[at] != number) --at;
      if (at < 0) {
        at = count++;
        line[at] = number;
        behind = std::max(behind, number + 1);
        touched[at] = 0;
        words[at] = 0;
      }
      touched[at] = static_cast<SectorCache::Sectors>(touched[at] | 1u << (address / kSectorBytes % 4));
      if (address % 4 == 0) words[at] |= ((1u << part / 4) - 1) << (address / 4 % 32);
      address += part;
    }
  }
};

/// A warp's local memory holds each word of its lanes side by side, a line for each word.
std::uint64_t place_in_local(std::uint64_t offset, int lane) {
  return (offset / 4 * kWarpSize + static_cast<unsigned>(lane)) * 4 + offset % 4;
}

CacheEvent::Kind kind_of(AccessKind kind, CacheEvent::Kind of_load) {
  if (kind == AccessKind::load) return of_load;
  return kind == AccessKind::store ? CacheEvent::Kind::store : CacheEvent::Kind::atomic;
}

bool is_of_floats(const ptx::Instruction& i) {
  return i.has("f32") || i.has("f64") || i.has("f16") || i.has("f16x2") || i.has("bf16") || i.has("bf16x2");
}

/// Turns that the atomics of these lanes take in each of their lines.
void count_turns(const WarpAccess& access, const Lines& lines, std::uint8_t* turns) {
  std::uint32_t sectors = 0;
  for (int i = 0; i < lines.count; ++i) {
    turns[i] = static_cast<std::uint8_t>(lane_count(lines.touched[i]));
    sectors += turns[i];
  }
  if (atomic_sectors(access.address, access.lanes) <= sectors) return;
  for (int i = 0; i < lines.count; ++i) {
    LaneMask here = 0;
    for_each_lane(access.lanes, [&](int lane) {
      here |= LaneMask{access.address[lane] / SectorCache::kLineBytes == lines.line[i]} << lane;
    });
    if (here != 0) turns[i] = static_cast<std::uint8_t>(atomic_sectors(access.address, here));
  }
}

}  // namespace

void CacheLog::block_begin(std::uint64_t block) {
  add({block, CacheEvent::Kind::block});
  block_ = block;
  asked_ = {};
  loops_.barrier();
}

/// Blocks that wait for one another take turns.
void CacheLog::follow(std::uint64_t block) {
  if (block == block_ || block_ == kNone) return;
  add({block, CacheEvent::Kind::block});
  block_ = block;
}

void CacheLog::warp_issued(const WarpId& warp, std::uint64_t instructions) {
  follow(warp.block);
  add({instructions, CacheEvent::Kind::issued, 0, static_cast<std::uint8_t>(warp.warp)});
}

void CacheLog::barrier(const WarpId& warp, std::uint32_t, std::uint32_t, LaneMask) {
  follow(warp.block);
  send(asked_[warp.warp].joined);
}

void CacheLog::barrier_complete(std::uint64_t block, std::uint32_t, std::span<const BarrierParty>,
                                bool whole) {
  loops_.barrier();
  if (!whole) return;
  follow(block);
  add({0, CacheEvent::Kind::barrier});
}

void CacheLog::block_end(std::uint64_t block) {
  follow(block);
  add({0, CacheEvent::Kind::end});
}

void CacheLog::access(const WarpAccess& access) {
  using Kind = CacheEvent::Kind;
  follow(access.warp.block);
  const auto warp = static_cast<std::uint8_t>(access.warp.warp);
  Asked& asked = asked_[warp];
  const bool awaited = access.kind == AccessKind::store || wait_for_earlier(access, asked);
  if (access.space == Space::shared && access.kind != AccessKind::store && !asked.shared) {
    add({0, Kind::shared, 0, warp});
    asked.shared = true;
  }
  if (access.space == Space::shared && access.kind == AccessKind::atomic) return add_loop(access);
  if (access.space == Space::local) return local(access, awaited);
  if (access.space != Space::global) return;
  global(access, kind_of(access.kind, access.order == Order::weak ? Kind::load : Kind::bulk_load), awaited);
}

void CacheLog::add_loop(const WarpAccess& access) {
  const Code* code = code_of(access);
  if (code == nullptr || !code->shared_loops[access.instruction]) return;
  const auto [rounds, cycles] = loops_.of(access, max_lanes_on_one_address(access.address, access.lanes));
  add({rounds, CacheEvent::Kind::loop, 0, static_cast<std::uint8_t>(access.warp.warp), 0,
       static_cast<std::uint32_t>(cycles)});
}

/// A word at a time: lanes may name 32 lines with each.
void CacheLog::local(const WarpAccess& access, bool awaited) {
  const bool stores = access.kind == AccessKind::store;
  const auto kind = stores ? CacheEvent::Kind::local_store : CacheEvent::Kind::local_load;
  const auto warp = static_cast<std::uint8_t>(access.warp.warp);
  Asked& asked = asked_[warp];
  if (stores)
    send(asked.joined);
  else
    (awaited ? asked.loaded : asked.copied) = true;
  for (std::uint32_t part = 0; part < access.bytes; part += 4) {
    Lines lines;
    for_each_lane(access.lanes, [&](int lane) {
      lines.add(place_in_local(access.address[lane] + part, lane), std::min<std::uint32_t>(access.bytes, 4));
    });
    for (int i = 0; i < lines.count; ++i)
      add({lines.line[i], kind, lines.touched[i], warp, 0, lines.words[i]});
  }
}

/// What the copy engine does to shared memory no warp waits for.
void CacheLog::bulk_access(const WarpAccess& part, int) {
  if (part.space != Space::global) return;
  follow(part.warp.block);
  if (part.kind != AccessKind::store) wait_for_earlier(part, asked_[part.warp.warp]);
  global(part, kind_of(part.kind, CacheEvent::Kind::bulk_load), true);
}

void CacheLog::global(const WarpAccess& access, CacheEvent::Kind kind, bool awaited) {
  using Kind = CacheEvent::Kind;
  const auto warp = static_cast<std::uint8_t>(access.warp.warp);
  Asked& asked = asked_[warp];
  if (kind != Kind::store) (awaited ? asked.loaded : asked.copied) = true;
  Lines lines;
  if (access.pattern == AddressPattern::broadcast)
    lines.add(access.address[0], access.bytes);
  else if (access.pattern == AddressPattern::unit)
    lines.add_run(access.address[0], access.address[0] + 32ull * access.bytes);
  else
    for_each_lane(access.lanes, [&](int lane) { lines.add(access.address[lane], access.bytes); });
  const auto event = [&](int i) {
    return CacheEvent{lines.line[i], kind, lines.touched[i], warp, 0, lines.words[i]};
  };
  if (kind == Kind::atomic) {
    using Atomic = Code::Atomic;
    const Code* code = code_of(access);
    const Atomic how = code != nullptr ? code->atomics[access.instruction] : Atomic::of_integers;
    const bool by_one = how == Atomic::by_one_lane &&
                        max_lanes_on_one_address(access.address, access.lanes) == lane_count(access.lanes);
    std::uint8_t turns[2 * kWarpSize] = {};
    count_turns(access, lines, turns);
    for (int i = 0; i < lines.count; ++i) {
      CacheEvent one = event(i);
      one.kind = how == Atomic::of_floats ? Kind::float_atomic : Kind::atomic;
      one.turns = by_one ? 1 : turns[i];
      add(one);
    }
    return;
  }
  if (kind == Kind::store && access.order == Order::weak &&
      static_cast<std::size_t>(lines.count) <= Joined::kMaxLines) {
    std::array<CacheEvent, Joined::kMaxLines> events;
    for (int i = 0; i < lines.count; ++i) events[static_cast<std::size_t>(i)] = event(i);
    return store({events.data(), static_cast<std::size_t>(lines.count)}, asked.joined);
  }
  if (kind == Kind::store) send(asked.joined);
  for (int i = 0; i < lines.count; ++i) add(event(i));
}

bool CacheLog::Joined::take(std::span<const CacheEvent> more) {
  if (count != more.size()) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (stores[i].where != more[i].where) return false;
  for (std::size_t i = 0; i < count; ++i) {
    stores[i].touched |= more[i].touched;
    stores[i].words |= more[i].words;
  }
  return true;
}

void CacheLog::store(std::span<const CacheEvent> lines, Joined& joined) {
  if (joined.count > 0 && joined.take(lines)) return;
  send(joined);
  const bool parts = std::any_of(lines.begin(), lines.end(), [](const CacheEvent& line) {
    return partly_written(line.touched, line.words) != 0;
  });
  if (parts) {  // whole sectors gain nothing by waiting
    std::copy(lines.begin(), lines.end(), joined.stores.begin());
    joined.count = lines.size();
  } else {
    for (const CacheEvent& line : lines) add(line);
  }
}

void CacheLog::send(Joined& joined) {
  for (std::size_t i = 0; i < joined.count; ++i) add(joined.stores[i]);
  joined.count = 0;
}

/// Null where no code is known.
const CacheLog::Code* CacheLog::code_of(const WarpAccess& access) {
  const ptx::Function* function = access.warp.function;
  if (function == nullptr || function == code_function_) return function == nullptr ? nullptr : code_;
  auto known = known_.find(function);
  if (known == known_.end()) {
    Code code{load_depths(*function), {}, {}};
    for (const ptx::Instruction& instruction : function->instructions)
      code.shared_loops.push_back(is_shared_loop(instruction));
    const std::vector<bool> uniform = uniform_atomics(*function);
    for (std::size_t k = 0; k < uniform.size(); ++k)
      code.atomics.push_back(uniform[k]                                ? Code::Atomic::by_one_lane
                             : is_of_floats(function->instructions[k]) ? Code::Atomic::of_floats
                                                                       : Code::Atomic::of_integers);
    known = known_.emplace(function, std::move(code)).first;
  }
  code_ = &known->second;
  code_function_ = function;
  return code_;
}

/// A load whose address comes out of another one waits for that.
bool CacheLog::wait_for_earlier(const WarpAccess& access, Asked& asked) {
  const Code* code = code_of(access);
  const std::uint8_t found = code != nullptr ? code->depths[access.instruction] : 0;
  const auto depth = static_cast<std::uint8_t>(found & ~(kAsynchronous | kBehindStores));
  if (depth > asked.depth) {
    wait(access.warp, asked);
    asked.depth = depth;
  }
  if (access.kind == AccessKind::atomic || (found & kBehindStores) != 0) send(asked.joined);
  return (found & kAsynchronous) == 0;
}

void CacheLog::wait(const WarpId& warp, Asked& asked) {
  if (asked.loaded || asked.shared) add({0, CacheEvent::Kind::wait, 0, static_cast<std::uint8_t>(warp.warp)});
  asked.loaded = asked.shared = false;
}

void CacheLog::copies(const WarpId& warp, LaneMask, CopyUse use, std::uint32_t) {
  Asked& asked = asked_[warp.warp];
  if (use == CopyUse::commit || !asked.copied) return;
  asked.copied = false;
  add({0, CacheEvent::Kind::wait, 0, static_cast<std::uint8_t>(warp.warp)});
}

void CacheLog::run_ended(const WarpId& warp) {
  follow(warp.block);
  Asked& asked = asked_[warp.warp];
  send(asked.joined);
  wait(warp, asked);
  asked.depth = 0;
}

}  // namespace fusebox::sim
