#include "grader/simulator/observe/caches.h"

#include <algorithm>

#include "grader/simulator/observe/lanes.h"

namespace fusebox::sim {
namespace {

constexpr unsigned kL1Ways = 4, kL2Ways = 16;
constexpr std::uint64_t kSectorBytes = 32;
// Shared memory takes its part of the SM's memory; L1 never gets less than this.
constexpr std::uint64_t kLeastL1Bytes = 16 << 10;

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

std::uint64_t bytes_of(SectorCache::Sectors sectors) { return kSectorBytes * lane_count(sectors); }

}  // namespace

Caches::Caches(const GpuProfile& gpu) : gpu_(gpu), l2_(gpu.l2_bytes, kL2Ways) {
  l1_.resize(static_cast<std::size_t>(std::max(gpu.sms, 1)));
  l1_launch_.resize(l1_.size(), 0);
}

void Caches::flush() { l2_.clear(); }

void Caches::launch_begin(const LaunchInfo& launch) {
  ++launch_;
  traffic_ = {};
  // Blocks that share an SM share its L1, less what their shared memory takes of the SM's one memory.
  std::uint64_t per_sm = (launch.grid.count() + l1_.size() - 1) / l1_.size();
  std::uint64_t threads = std::max<std::uint64_t>(launch.block.count(), 1);
  std::uint64_t resident =
      std::min<std::uint64_t>(per_sm, static_cast<std::uint64_t>(gpu_.max_threads_per_sm) / threads);
  std::uint64_t shared = std::max<std::uint64_t>(resident, 1) * launch.shared_bytes;
  std::uint64_t whole = static_cast<std::uint64_t>(gpu_.l1_and_shared_bytes_per_sm);
  l1_bytes_ = shared + kLeastL1Bytes > whole ? kLeastL1Bytes : whole - shared;
  sm_ = 0;
  slowest_ = Level::none;
  traffic_.warps = launch.grid.count() * ((threads + kWarpSize - 1) / kWarpSize);
}

void Caches::block_begin(std::uint64_t block) {
  sm_ = block % l1_.size();
  if (l1_launch_[sm_] == launch_) return;
  l1_launch_[sm_] = launch_;
  if (!l1_[sm_] || l1_made_for_ != l1_bytes_) {
    if (l1_made_for_ != l1_bytes_)
      for (auto& cache : l1_) cache.reset();
    l1_made_for_ = l1_bytes_;
    l1_[sm_] = std::make_unique<SectorCache>(l1_bytes_, kL1Ways);
  } else {
    l1_[sm_]->clear();
  }
}

void Caches::access(const WarpAccess& access) {
  if (access.space == Space::shared && access.kind != AccessKind::store)
    slowest_ = std::max(slowest_, Level::shared);
  if (access.space != Space::global) return;
  Lines lines;
  if (access.shape == Shape::broadcast)
    lines.add(access.address[0], access.bytes);
  else if (access.shape == Shape::unit)
    for (std::uint64_t at = access.address[0], end = at + 32ull * access.bytes; at < end; at += 16)
      lines.add(at, static_cast<std::uint32_t>(std::min<std::uint64_t>(16, end - at)));
  else
    for_each_lane(access.lanes, [&](int lane) { lines.add(access.address[lane], access.bytes); });
  for (int i = 0; i < lines.count; ++i) {
    if (access.kind == AccessKind::store) {
      store(lines.line[i], lines.touched[i], lines.whole(i));
    } else if (access.kind == AccessKind::atomic) {
      load(lines.line[i], lines.touched[i], false);
      store(lines.line[i], lines.touched[i], lines.touched[i]);
    } else {
      load(lines.line[i], lines.touched[i], true);
    }
  }
}

void Caches::issued(const WarpId&, std::uint32_t, std::uint32_t, LaneMask) {
  switch (slowest_) {
    case Level::none:
      return;
    case Level::shared:
      ++traffic_.shared_waits;
      break;
    case Level::l1:
      ++traffic_.l1_waits;
      break;
    case Level::l2:
      ++traffic_.l2_waits;
      break;
    case Level::dram:
      ++traffic_.dram_waits;
      break;
  }
  slowest_ = Level::none;
}

void Caches::to_dram(const SectorCache::Effect& effect, SectorCache::Sectors filled) {
  traffic_.dram_read_bytes += bytes_of(filled);
  traffic_.dram_write_bytes += bytes_of(effect.cast_out);
}

void Caches::load(std::uint64_t line, SectorCache::Sectors sectors, bool through_l1) {
  SectorCache::Sectors missed = sectors;
  if (through_l1 && l1_[sm_]) {
    missed = l1_[sm_]->read(line, sectors).missed;
    traffic_.l1_sectors += lane_count(sectors);
    traffic_.l1_hit_sectors += lane_count(static_cast<SectorCache::Sectors>(sectors & ~missed));
  }
  slowest_ = std::max(slowest_, Level::l1);
  if (missed == 0) return;
  traffic_.l2_read_bytes += bytes_of(missed);
  SectorCache::Effect effect = l2_.read(line, missed);
  slowest_ = std::max(slowest_, effect.missed != 0 ? Level::dram : Level::l2);
  to_dram(effect, effect.missed);
}

void Caches::store(std::uint64_t line, SectorCache::Sectors touched, SectorCache::Sectors whole) {
  traffic_.l2_write_bytes += bytes_of(touched);
  SectorCache::Effect effect = l2_.write(line, touched);
  // A sector that is written whole needs nothing from DRAM; a part of one has to be merged into it.
  to_dram(effect, static_cast<SectorCache::Sectors>(effect.missed & ~whole));
}

}  // namespace fusebox::sim
