#include "grader/simulator/observe/cache_log.h"

#include <algorithm>

#include "grader/simulator/observe/lanes.h"
#include "grader/simulator/observe/load_depths.h"
#include "grader/simulator/observe/sectors.h"

namespace fusebox::sim {
namespace {

/// The lines of one request, with the sectors touched of each and the words that are touched whole.
struct Lines {
  std::uint64_t line[2 * kWarpSize];
  SectorCache::Sectors touched[2 * kWarpSize];
  std::uint32_t words[2 * kWarpSize];
  int count = 0;

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
      int at = count - 1;
      while (at >= 0 && line[at] != number) --at;
      if (at < 0) {
        at = count++;
        line[at] = number;
        touched[at] = 0;
        words[at] = 0;
      }
      touched[at] = static_cast<SectorCache::Sectors>(touched[at] | 1u << (address / kSectorBytes % 4));
      if (address % 4 == 0) words[at] |= ((1u << part / 4) - 1) << (address / 4 % 32);
      address += part;
    }
  }
};

CacheEvent::Kind kind_of(AccessKind kind, CacheEvent::Kind of_load) {
  if (kind == AccessKind::load) return of_load;
  return kind == AccessKind::store ? CacheEvent::Kind::store : CacheEvent::Kind::atomic;
}

}  // namespace

void CacheLog::block_begin(std::uint64_t block) {
  add({block, CacheEvent::Kind::block});
  asked_ = {};
}

void CacheLog::access(const WarpAccess& access) {
  using Kind = CacheEvent::Kind;
  const auto warp = static_cast<std::uint8_t>(access.warp.warp);
  Asked& asked = asked_[warp];
  const bool awaited = access.kind == AccessKind::store || wait_for_earlier(access, asked);
  if (access.space == Space::shared && access.kind != AccessKind::store && !asked.shared) {
    add({0, Kind::shared, 0, warp});
    asked.shared = true;
  }
  if (access.space == Space::global) global(access, kind_of(access.kind, Kind::load), awaited);
}

/// What the copy engine does to shared memory no warp waits for.
void CacheLog::bulk_access(const WarpAccess& part, int) {
  if (part.space != Space::global) return;
  if (part.kind != AccessKind::store) wait_for_earlier(part, asked_[part.warp.warp]);
  global(part, kind_of(part.kind, CacheEvent::Kind::bulk_load), true);
}

void CacheLog::global(const WarpAccess& access, CacheEvent::Kind kind, bool awaited) {
  const auto warp = static_cast<std::uint8_t>(access.warp.warp);
  Asked& asked = asked_[warp];
  if (kind != CacheEvent::Kind::store) (awaited ? asked.loaded : asked.copied) = true;
  Lines lines;
  if (access.shape == Shape::broadcast)
    lines.add(access.address[0], access.bytes);
  else if (access.shape == Shape::unit)
    lines.add_run(access.address[0], access.address[0] + 32ull * access.bytes);
  else
    for_each_lane(access.lanes, [&](int lane) { lines.add(access.address[lane], access.bytes); });
  for (int i = 0; i < lines.count; ++i) add({lines.line[i], kind, lines.touched[i], warp, lines.words[i]});
}

/// A load whose address comes out of another one waits for that.
bool CacheLog::wait_for_earlier(const WarpAccess& access, Asked& asked) {
  const ptx::Function* function = access.warp.function;
  if (function == nullptr) return true;
  if (function != depths_of_) {
    auto known = known_depths_.find(function);
    if (known == known_depths_.end()) known = known_depths_.emplace(function, load_depths(*function)).first;
    depths_ = &known->second;
    depths_of_ = function;
  }
  const std::uint8_t found = (*depths_)[access.instruction], depth = found & ~kAsynchronous;
  if (depth > asked.depth) {
    wait(access.warp, asked);
    asked.depth = depth;
  }
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
  Asked& asked = asked_[warp.warp];
  wait(warp, asked);
  asked.depth = 0;
}

}  // namespace fusebox::sim
