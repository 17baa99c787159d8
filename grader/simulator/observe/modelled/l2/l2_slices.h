#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/observe/modelled/sector_cache.h"

namespace fusebox::sim {

/// The slices of L2, which carry out atomics: which of them a line lies in, and how long they are at it. Time
/// is counted in turns: what a slice takes to change a whole sector once. `bench/pipes/atomics.cu` asks a
/// GPU.
class L2Slices {
 public:
  explicit L2Slices(unsigned slices);

  void clear();
  /// A request's part in one line. `words`: those that are changed whole; `turns`: each sector as often as
  /// its busiest address has lanes; `floats`: lanes with one address wait for one another's sums.
  void change(std::uint64_t line, SectorCache::Sectors touched, std::uint32_t words, unsigned turns,
              bool floats);

  double all_turns() const;
  /// Of the slice, the pair of slices or the float that is busiest, as turns of one slice.
  double busiest_turns() const;

  unsigned slice_of(std::uint64_t line) const;

 private:
  std::vector<double> turns_;        ///< by slice
  std::vector<double> float_turns_;  ///< by sector, of which many share an entry
};

}  // namespace fusebox::sim
