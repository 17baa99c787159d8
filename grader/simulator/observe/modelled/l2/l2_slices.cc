#include "grader/simulator/observe/modelled/l2/l2_slices.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "grader/simulator/observe/requests/lanes.h"

namespace fusebox::sim {
namespace {

// Lines go to the two slices of a pair by 256 bytes, to four pairs by 1024, and to another eight slices with
// each 4096, by a hash of the address: so it is on an H200, but for the hash.
constexpr unsigned kGroup = 8, kLinesOfPage = 32;
// On an H200 a slice takes 1.71 turns a nanosecond, and 1.37 where they change less than a sector. Two slices
// take 2.73 together. Additions of floats to one address go by 0.57 a nanosecond.
constexpr double kPartOfSector = 1.25, kTwoSlices = 1.6, kFloatAgain = 3.0;
constexpr std::size_t kFloats = 4096;

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return x ^ (x >> 33);
}

}  // namespace

L2Slices::L2Slices(unsigned slices) : turns_(std::max(slices / kGroup, 1u) * kGroup), float_turns_(kFloats) {}

void L2Slices::clear() {
  std::fill(turns_.begin(), turns_.end(), 0);
  std::fill(float_turns_.begin(), float_turns_.end(), 0);
}

/// Pages that follow one another lie in different groups, as long as there are any.
unsigned L2Slices::slice_of(std::uint64_t line) const {
  const std::uint64_t groups = turns_.size() / kGroup, page = line / kLinesOfPage;
  const std::uint64_t group = (page + mixed(page / groups + 1) % groups) % groups;
  const std::uint64_t within = (line >> 1 & 1) | (line >> 3 & 3) << 1;
  return static_cast<unsigned>(group * kGroup + (within ^ (mixed(page + 1) & (kGroup - 1))));
}

void L2Slices::change(std::uint64_t line, SectorCache::Sectors touched, std::uint32_t words, unsigned turns,
                      bool floats) {
  const bool whole = partly_written(touched, words) == 0;
  turns_[slice_of(line)] += turns * (whole ? 1 : kPartOfSector);
  const auto sectors = static_cast<unsigned>(lane_count(touched));
  if (!floats || sectors == 0) return;
  const std::uint64_t first = line * 4 + static_cast<unsigned>(std::countr_zero(touched));
  float_turns_[mixed(first) % kFloats] += kFloatAgain * turns / sectors;
}

double L2Slices::all_turns() const { return std::accumulate(turns_.begin(), turns_.end(), 0.0); }

double L2Slices::busiest_turns() const {
  double busiest = *std::max_element(float_turns_.begin(), float_turns_.end());
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    busiest = std::max(busiest, turns_[i]);
    if ((i & 4) == 0) busiest = std::max(busiest, (turns_[i] + turns_[i + 4]) / kTwoSlices);
  }
  return busiest;
}

}  // namespace fusebox::sim
