#include "grader/simulator/observe/modelled/l2/l2_slices.h"

#include <gtest/gtest.h>

#include <set>

namespace fusebox::sim {
namespace {

constexpr double kTurnsPerNs = 1.707;

/// Requests a nanosecond, where as many go to each of `lines` lines that lie `step` lines apart.
double rate(std::uint64_t lines, std::uint64_t step, SectorCache::Sectors touched, std::uint32_t words,
            unsigned turns, bool floats) {
  L2Slices slices(96);
  for (std::uint64_t i = 0; i < lines; ++i) slices.change(i * step, touched, words, turns, floats);
  return static_cast<double>(lines) * kTurnsPerNs / slices.busiest_turns();
}
double side_by_side(std::uint64_t lines, std::uint64_t step) { return rate(lines, step, 0xf, ~0u, 4, true); }

struct Spaced {
  std::uint64_t lines, step;
  double measured;
};

// bench/pipes/atomics.cu on an H200: lanes side by side, each warp at a line of its own choice. Which pages
// meet is not known of its hash, only how often.
TEST(L2Slices, LinesThatMeetInFewSlices) {
  for (const Spaced& row : {Spaced{1, 1, 0.427},
                            {2, 1, 0.427},
                            {4, 1, 0.853},
                            {8, 1, 0.852},
                            {16, 1, 1.70},
                            {32, 1, 2.72},
                            {64, 1, 5.45},
                            {128, 1, 10.6},
                            {512, 1, 20.5},
                            {2, 8, 0.833},
                            {4, 8, 1.364},
                            {16, 8, 5.40},
                            {64, 8, 12.5},
                            {2, 32, 0.843},
                            {4, 32, 1.697}})
    EXPECT_NEAR(side_by_side(row.lines, row.step) / row.measured, 1, 0.15) << row.lines << " by " << row.step;
  for (const Spaced& row : {Spaced{1024, 1, 20.9},
                            {256, 8, 26.9},
                            {1024, 8, 30.8},
                            {16, 32, 6.72},
                            {64, 32, 12.4},
                            {256, 32, 16.7},
                            {1024, 32, 24.7}})
    EXPECT_NEAR(side_by_side(row.lines, row.step) / row.measured, 1, 0.5) << row.lines << " by " << row.step;
}

TEST(L2Slices, LanesWithOneAddressTakeTurns) {
  const struct {
    SectorCache::Sectors touched;
    std::uint32_t words;
    unsigned turns;
    double of_integers, of_floats;
  } rows[] = {{0x3, 0xffff, 4, 0.427, 0.285},  // two lanes a word
              {0x1, 0xff, 4, 0.427, 0.142},    // four
              {0x1, 0xf, 8, 0.171, 0.071},     // eight
              {0x1, 0x3, 16, 0.085, 0.036},
              {0x1, 0x1, 32, 0.043, 0.018}};
  for (const auto& row : rows) {
    EXPECT_NEAR(rate(1, 1, row.touched, row.words, row.turns, false) / row.of_integers, 1, 0.02) << row.turns;
    EXPECT_NEAR(rate(1, 1, row.touched, row.words, row.turns, true) / row.of_floats, 1, 0.02) << row.turns;
  }
}

TEST(L2Slices, PagesAsTheyComeLieApart) {
  const L2Slices slices(96);
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{12} * 32 * 77}) {
    std::set<unsigned> used;
    for (std::uint64_t line = first; line < first + 12 * 32; ++line) used.insert(slices.slice_of(line));
    EXPECT_EQ(used.size(), 96u);
  }
}

}  // namespace
}  // namespace fusebox::sim
