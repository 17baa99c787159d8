#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grader/simulator/observe/modelled/set_order.h"

namespace fusebox::sim {

/// A set-associative cache of 128-byte lines with four 32-byte sectors each, least recently used line out
/// first. It holds no data, only what would be there. Masks have a bit per sector of a line, bit 0 the lowest
/// address.
class SectorCache {
 public:
  using Sectors = std::uint8_t;
  static constexpr std::uint64_t kLineBytes = 128;

  /// How many lines of `sets` sets side by side may be dirty: of more, the one of a set that was used longest
  /// ago is written behind the cache, and stays.
  struct DirtyWays {
    unsigned lines = 0, sets = 1;
  };
  /// `bytes` is rounded down to whole sets of `ways` lines; a cache smaller than one set has one set.
  SectorCache(std::uint64_t bytes, unsigned ways, DirtyWays dirty, Spread spread);
  SectorCache(std::uint64_t bytes, unsigned ways) : SectorCache(bytes, ways, {ways}, Spread::even) {}

  /// One of several blocks that use the cache at the same time, though they are modelled one after the other.
  struct User {
    std::uint32_t id = 0;       ///< higher than begin_users() was told, and nobody else's
    std::uint32_t fetched = 0;  ///< lines that it has read and brought in so far
  };
  /// How many lines a user brings in before one that it used is gone: of some lines `least`, of some `most`,
  /// of the others between, since neighbours are not in step. 0: it has no neighbours, and keeps all.
  struct Reach {
    std::uint64_t least = 0, most = 0;
    bool of_ratios = false;  ///< between them lines are drawn evenly by the logarithm of how far
  };
  /// From now on users' ids are higher than `above`, and higher than those of all before. A user finds a line
  /// that nobody else uses only until it has brought in others as far as `reach`: by then its neighbours, who
  /// do as it does, have filled the rest of the cache. What it writes does not count: few neighbours are at
  /// that at the same time, and p12's adjacent columns, which come back to both, are still there on a GPU.
  /// The first user keeps all its lines: which of them others will use too is not known yet.
  void begin_users(std::uint32_t above, Reach reach) { common_ = above, reach_ = reach, first_ = 0; }

  /// A line whose dirty sectors were written behind the cache; of those `filled` only parts had been written,
  /// so the rest had to be read first.
  struct CastOut {
    std::uint64_t line;
    Sectors dirty, filled;
  };
  struct Effect {
    Sectors missed = 0;  ///< of those asked for
    Sectors parted = 0;  ///< of those written: of them only parts are here now, and nothing was before
    std::span<const CastOut> cast_out() const { return {lines_.data(), count_}; }
    void cast_out(const CastOut& line) { lines_[count_++] = line; }

   private:
    std::size_t count_ = 0;
    std::array<CastOut, 3> lines_;  ///< as many as one access can cast out, of both halves of an L2
  };
  /// Sectors of line number `line` (address / 128) are wanted; those that missed are there afterwards.
  Effect read(std::uint64_t line, Sectors sectors, User* by = nullptr);
  /// Words (bit per 4 bytes of the line) are written and stay, dirty; so do sectors of which less than a word
  /// was touched. A sector whose every word has been written needs nothing from behind.
  Effect write(std::uint64_t line, Sectors touched, std::uint32_t words, User* by = nullptr);
  /// The rest of a sector that was written in parts is brought in. False: it is whole, or gone.
  bool fill(std::uint64_t line, unsigned sector);
  /// Brings what is remembered of a line near the processor: it will be asked for soon.
  void prefetch(std::uint64_t line) const {
    const Way* const set = &lines_[set_of(line)];
    for (unsigned way = 0; way < ways_; way += 2) __builtin_prefetch(set + way);
  }
  /// What would be found, without a trace.
  Sectors present(std::uint64_t line) const;
  /// Dirty sectors in all of it.
  std::uint64_t dirty_sectors() const { return dirty_; }

  void clear();

 private:
  struct Way {
    std::uint64_t line = 0;
    std::uint32_t used = 0;   ///< stamp of the last use
    std::uint16_t epoch = 0;  ///< an older one than the cache's: empty, so that clear() touches nothing
    Sectors valid = 0, dirty = 0;
    std::uint32_t words = 0;    ///< written since it came
    std::uint32_t user = 0;     ///< id of the only one; common_: there are several; lower: none so far
    std::uint32_t fetched = 0;  ///< by that one, when it last used the line
  };

  /// Where the line's set begins in lines_.
  std::size_t set_of(std::uint64_t line) const { return order_.set_of(line) * ways_; }
  Way& find_or_replace(std::uint64_t line, User* by, bool reads, Effect& effect);
  bool gone(const Way& way, const User& by) const;
  void write_behind(Way& way, Effect& effect);
  /// Of the set of a line that has become dirty.
  void keep_clean_ways(std::uint64_t line, Effect& effect);
  /// In lines_; its size: the line is not there.
  std::size_t find(std::uint64_t line) const;

  unsigned ways_;
  DirtyWays dirty_ways_;
  SetOrder order_;
  Reach reach_;
  std::uint32_t common_ = 0, first_ = 0;
  std::uint64_t dirty_ = 0;  ///< sectors
  std::uint32_t now_ = 0;
  std::uint16_t epoch_ = 1;
  std::vector<Way> lines_;
};

/// Of the sectors touched, those of which not every word was.
inline SectorCache::Sectors partly_written(SectorCache::Sectors touched, std::uint32_t words) {
  SectorCache::Sectors parts = 0;
  for (unsigned sector = 0; sector < 4; ++sector)
    if ((touched >> sector & 1) != 0 && (words >> (8 * sector) & 0xff) != 0xff)
      parts = static_cast<SectorCache::Sectors>(parts | 1u << sector);
  return parts;
}

}  // namespace fusebox::sim
