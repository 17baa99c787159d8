#include "grader/simulator/observe/modelled/l2/l2_halves.h"

namespace fusebox::sim {
namespace {

// What an H200 does of 60 MiB, and an H100 of 50 (`bench/pipes/l2_keeps.cu`): of what is written behind one
// another 29.4 MB wait for DRAM (25), of triangles less, since sets get more or less of them, as of sets of
// ten lines of which 4.67 may be dirty. What other GPUs do is not known; they are taken for these.
constexpr unsigned kWays = 10;
constexpr SectorCache::DirtyWays kDirtyWays{14, 3};

// A line's second place is that of a line which is nowhere.
constexpr std::uint64_t kSecondPlace = std::uint64_t{1} << 62;

SectorCache::Effect both(const SectorCache::Effect& a, const SectorCache::Effect& b) {
  SectorCache::Effect sum = a;
  for (const SectorCache::CastOut& line : b.cast_out()) sum.cast_out(line);
  return sum;
}

}  // namespace

L2Halves::L2Halves(std::uint64_t bytes, bool in_halves)
    : in_halves_(in_halves), cache_(bytes, kWays, kDirtyWays, Spread::sliced) {}

/// Which half a line is at home in is the GPU's secret, as which slice is: it is one for half of them.
bool L2Halves::is_far(std::uint64_t line, unsigned half) const {
  return in_halves_ && (of_first_device(line) * 0xd6e8feb86659fd93ull >> 63) != half;
}

L2Halves::Effect L2Halves::read(std::uint64_t line, Sectors sectors, unsigned half, User* by) {
  if (!is_far(line, half)) return cache_.read(line, sectors, by);
  const Effect second = cache_.read(line | kSecondPlace, sectors, by);
  return second.missed == 0 ? second : both(cache_.read(line, second.missed, by), second);
}

L2Halves::Effect L2Halves::write(std::uint64_t line, Sectors touched, std::uint32_t words, unsigned half,
                                 User* by) {
  const Effect home = cache_.write(line, touched, words, by);
  if (!is_far(line, half)) return home;
  const auto whole = static_cast<Sectors>(touched & ~partly_written(touched, words));
  return both(home, cache_.read(line | kSecondPlace, whole, by));
}

void L2Halves::prefetch(std::uint64_t line, unsigned half) const {
  cache_.prefetch(line);
  if (is_far(line, half)) cache_.prefetch(line | kSecondPlace);
}

}  // namespace fusebox::sim
