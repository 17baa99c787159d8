#include "grader/simulator/observe/modelled/sector_cache.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fusebox::sim {

SectorCache::SectorCache(std::uint64_t bytes, unsigned ways, DirtyWays dirty, Spread spread)
    : ways_(std::max(ways, 1u)),
      dirty_ways_(dirty),
      order_(bytes / (kLineBytes * ways_), spread),
      lines_(order_.sets() * ways_) {}

void SectorCache::write_behind(Way& way, Effect& effect) {
  if (way.dirty == 0) return;
  effect.cast_out({way.line, way.dirty, static_cast<Sectors>(way.dirty & ~way.valid)});
  dirty_ -= static_cast<unsigned>(std::popcount(way.dirty));
  way.valid |= way.dirty;
  way.dirty = 0, way.words = 0;
}

void SectorCache::keep_clean_ways(std::uint64_t line, Effect& effect) {
  Way* const set = &lines_[set_of(line)];
  Way* oldest = nullptr;
  unsigned dirty = 0;
  for (Way* way = set; way != set + ways_ && way->epoch == epoch_; ++way) {
    if (way->dirty == 0) continue;
    ++dirty;
    if (oldest == nullptr || way->used < oldest->used) oldest = way;
  }
  const auto which = static_cast<unsigned>(set - lines_.data()) / ways_ % dirty_ways_.sets;
  if (dirty > (dirty_ways_.lines + which) / dirty_ways_.sets) write_behind(*oldest, effect);
}

bool SectorCache::gone(const Way& way, const User& by) const {
  if (reach_.most == 0 || by.id == first_ || way.user != by.id) return false;
  const std::uint64_t since = by.fetched - way.fetched;
  if (since <= reach_.least || since > reach_.most) return since > reach_.most;
  // The same for both places of a line in an L2 of two halves, which the highest bits tell apart.
  const std::uint64_t drawn = of_first_device(way.line) * 0x9e3779b97f4a7c15ull >> 30 & 0xffffffff;
  if (reach_.of_ratios) {
    const auto far = [&](std::uint64_t lines) {
      return std::log(static_cast<double>(lines) /
                      static_cast<double>(std::max<std::uint64_t>(reach_.least, 1)));
    };
    return static_cast<double>(drawn) * far(reach_.most) < far(since) * 0x1p32;
  }
  return drawn * (reach_.most - reach_.least) >> 32 < since - reach_.least;
}

SectorCache::Way& SectorCache::find_or_replace(std::uint64_t line, User* by, bool reads, Effect& effect) {
  if (by != nullptr && first_ == 0) first_ = by->id;
  Way* set = &lines_[set_of(line)];
  Way* oldest = set;
  for (unsigned i = 0; i < ways_; ++i) {
    Way& way = set[i];
    if (way.epoch != epoch_) {  // empty, and so are all behind it
      oldest = &way;
      break;
    }
    if (way.line == line) {
      if (by != nullptr && gone(way, *by)) {
        oldest = &way;
        break;
      }
      if (by != nullptr) {
        // Used after that long it stands between its neighbours' uses as one that is brought in does.
        if (reads && reach_.most != 0 && way.user == by->id && by->fetched - way.fetched > reach_.least)
          ++by->fetched;
        way.user = way.user < common_ || way.user == by->id ? by->id : common_;
        way.fetched = by->fetched;
      }
      return way;
    }
    if (way.used < oldest->used) oldest = &way;
  }
  if (oldest->epoch == epoch_) write_behind(*oldest, effect);
  *oldest = Way{};
  oldest->line = line;
  oldest->epoch = epoch_;
  if (by != nullptr) {
    oldest->user = by->id;
    by->fetched += reads ? 1 : 0;
    oldest->fetched = by->fetched;
  }
  return *oldest;
}

SectorCache::Effect SectorCache::read(std::uint64_t line, Sectors sectors, User* by) {
  Effect effect;
  Way& way = find_or_replace(line, by, true, effect);
  way.used = ++now_;
  effect.missed = static_cast<Sectors>(sectors & ~way.valid);
  way.valid |= sectors;
  return effect;
}

SectorCache::Effect SectorCache::write(std::uint64_t line, Sectors touched, std::uint32_t words, User* by) {
  Effect effect;
  Way& way = find_or_replace(line, by, false, effect);
  way.used = ++now_;
  const Sectors fresh = static_cast<Sectors>(touched & ~way.dirty & ~way.valid);
  const bool was_clean = way.dirty == 0;
  dirty_ += static_cast<unsigned>(std::popcount(static_cast<Sectors>(touched & ~way.dirty)));
  way.dirty |= touched;
  way.words |= words;
  for (unsigned sector = 0; sector < 4; ++sector)
    if ((way.words >> (8 * sector) & 0xff) == 0xff) way.valid |= static_cast<Sectors>(1u << sector);
  effect.parted = static_cast<Sectors>(fresh & ~way.valid);
  if (was_clean && dirty_ways_.lines < ways_ * dirty_ways_.sets) keep_clean_ways(line, effect);
  return effect;
}

std::size_t SectorCache::find(std::uint64_t line) const {
  const std::size_t set = set_of(line);
  for (std::size_t at = set; at < set + ways_; ++at)
    if (lines_[at].epoch == epoch_ && lines_[at].line == line) return at;
  return lines_.size();
}

bool SectorCache::fill(std::uint64_t line, unsigned sector) {
  const auto bit = static_cast<Sectors>(1u << sector);
  const std::size_t at = find(line);
  if (at == lines_.size() || (lines_[at].dirty & ~lines_[at].valid & bit) == 0) return false;
  lines_[at].valid |= bit;
  return true;
}

SectorCache::Sectors SectorCache::present(std::uint64_t line) const {
  const std::size_t at = find(line);
  return at == lines_.size() ? Sectors{0} : lines_[at].valid;
}

void SectorCache::clear() {
  now_ = 0;
  dirty_ = 0;
  if (++epoch_ != 0) return;
  std::fill(lines_.begin(), lines_.end(), Way{});  // the stamps came round
  epoch_ = 1;
}

}  // namespace fusebox::sim
