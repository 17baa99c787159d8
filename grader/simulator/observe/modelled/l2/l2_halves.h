#pragma once

#include <cstdint>

#include "grader/simulator/observe/modelled/sector_cache.h"

namespace fusebox::sim {

/// L2, which large GPUs have in two halves: a line is at home in one of them, and an SM of the other half
/// reaches it through its own, where it takes a second place.
class L2Halves {
 public:
  using Sectors = SectorCache::Sectors;
  using Effect = SectorCache::Effect;
  using User = SectorCache::User;

  L2Halves(std::uint64_t bytes, bool in_halves);

  // As those of SectorCache, by an SM of half 0 or 1.
  Effect read(std::uint64_t line, Sectors sectors, unsigned half, User* by);
  Effect write(std::uint64_t line, Sectors touched, std::uint32_t words, unsigned half, User* by);
  void prefetch(std::uint64_t line, unsigned half) const;
  void begin_users(std::uint32_t above, SectorCache::Reach reach) { cache_.begin_users(above, reach); }
  bool fill(std::uint64_t line, unsigned sector) { return cache_.fill(line, sector); }
  std::uint64_t dirty_sectors() const { return cache_.dirty_sectors(); }
  void clear() { cache_.clear(); }

 private:
  bool is_far(std::uint64_t line, unsigned half) const;

  bool in_halves_;
  SectorCache cache_;
};

}  // namespace fusebox::sim
