#include "grader/simulator/observe/cache_log.h"

#include <algorithm>

#include "grader/simulator/observe/lanes.h"
#include "grader/simulator/observe/sectors.h"

namespace fusebox::sim {
namespace {

/// The lines of one request with the sectors touched of each, and those whose every byte is touched.
struct Lines {
  std::uint64_t line[2 * kWarpSize];
  SectorCache::Sectors touched[2 * kWarpSize];
  std::uint32_t bytes[2 * kWarpSize][4];  ///< per sector, to tell whole sectors (lanes that overlap count
                                          ///< once at most per byte run)
  int count = 0;

  void add(std::uint64_t address, std::uint32_t width) {
    std::uint64_t end = address + width;
    while (address < end) {
      std::uint64_t number = address / SectorCache::kLineBytes,
                    sector_end = (address / kSectorBytes + 1) * kSectorBytes;
      std::uint32_t part = static_cast<std::uint32_t>(std::min(end, sector_end) - address);
      int at = count - 1;
      while (at >= 0 && line[at] != number) --at;
      if (at < 0) {
        at = count++;
        line[at] = number;
        touched[at] = 0;
        std::fill(bytes[at], bytes[at] + 4, 0);
      }
      std::uint32_t sector = address / kSectorBytes % 4;
      touched[at] = static_cast<SectorCache::Sectors>(touched[at] | 1u << sector);
      bytes[at][sector] += part;
      address += part;
    }
  }
  SectorCache::Sectors whole(int at) const {
    unsigned mask = 0;
    for (unsigned s = 0; s < 4; ++s) mask |= static_cast<unsigned>(bytes[at][s] >= kSectorBytes) << s;
    return static_cast<SectorCache::Sectors>(mask);
  }
};

}  // namespace

void CacheLog::block_begin(std::uint64_t block) {
  events_.push_back({block, CacheEvent::Kind::block, 0, 0});
  loaded_ = shared_ = false;
}

void CacheLog::access(const WarpAccess& access) {
  using Kind = CacheEvent::Kind;
  if (access.space == Space::shared && access.kind != AccessKind::store && !shared_) {
    events_.push_back({0, Kind::shared, 0, 0});
    shared_ = true;
  }
  if (access.space != Space::global) return;
  const Kind kind = access.kind == AccessKind::load    ? Kind::load
                    : access.kind == AccessKind::store ? Kind::store
                                                       : Kind::atomic;
  loaded_ = loaded_ || kind != Kind::store;
  Lines lines;
  if (access.shape == Shape::broadcast)
    lines.add(access.address[0], access.bytes);
  else if (access.shape == Shape::unit)
    for (std::uint64_t at = access.address[0], end = at + 32ull * access.bytes; at < end; at += 16)
      lines.add(at, static_cast<std::uint32_t>(std::min<std::uint64_t>(16, end - at)));
  else
    for_each_lane(access.lanes, [&](int lane) { lines.add(access.address[lane], access.bytes); });
  for (int i = 0; i < lines.count; ++i)
    events_.push_back({lines.line[i], kind, lines.touched[i], lines.whole(i)});
}

void CacheLog::issued(const WarpId&, std::uint32_t, std::uint32_t, LaneMask) {
  if (loaded_ || shared_) events_.push_back({0, CacheEvent::Kind::wait, 0, 0});
  loaded_ = shared_ = false;
}

}  // namespace fusebox::sim
