#include "grader/simulator/observe/modelled/set_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kSets = 3 << 14, kFirst = 3 << 22, kEach = 4;

/// How many lines sets have: kEach on average, of rows of 32 lines the first `of_row(row)`.
struct Filled {
  template <class F>
  Filled(Spread spread, std::uint64_t every, F of_row) {
    const SetOrder order(kSets, spread);
    std::vector<unsigned> lines(kSets, 0);
    std::uint64_t all = 0;
    for (std::uint64_t row = 0; all < kEach * kSets; ++row)
      for (std::uint64_t i = 0; i < of_row(row); ++i, ++all)
        ++lines[order.set_of(kFirst + (row * 32 + i) * every)];
    least = *std::min_element(lines.begin(), lines.end());
    most = *std::max_element(lines.begin(), lines.end());
    for (const unsigned of_set : lines) variance += (of_set - 4.0) * (of_set - 4.0) / kSets;
  }
  unsigned least = 0, most = 0;
  double variance = 0;
};

TEST(SetOrder, NeighboursFillSlicedSetsAlikeAndSoDoesEverySecondLine) {
  const auto whole = [](std::uint64_t) { return 32u; };
  const Filled all(Spread::sliced, 1, whole), every_second(Spread::sliced, 2, whole);
  EXPECT_EQ(all.least, kEach);
  EXPECT_EQ(all.most, kEach);
  EXPECT_GE(every_second.least, kEach - 1);
  EXPECT_LE(every_second.most, kEach + 1);
}

TEST(SetOrder, PartsOfRowsFillSlicedSetsUnevenly) {
  const auto triangle = [](std::uint64_t row) { return row % 1024 / 32 + 1; };
  const auto half = [](std::uint64_t) { return 16u; };
  EXPECT_GE(Filled(Spread::sliced, 1, triangle).variance, 1.5);
  EXPECT_GE(Filled(Spread::sliced, 1, half).variance, 1.2);
  EXPECT_LE(Filled(Spread::even, 1, half).variance, 0.8);
}

TEST(SetOrder, DevicesMemoryLiesAlike) {
  constexpr std::uint64_t kLine = 0x600000000000 / 128, kNext = (std::uint64_t{1} << 40) / 128,
                          kBeyondAll = std::uint64_t{1} << 62;
  for (const Spread spread : {Spread::even, Spread::sliced}) {
    const SetOrder order(kSets, spread);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      EXPECT_EQ(order.set_of(kLine + i), order.set_of(kLine + 3 * kNext + i));
      EXPECT_EQ(order.set_of((kLine + i) | kBeyondAll), order.set_of((kLine + 3 * kNext + i) | kBeyondAll));
    }
  }
}

TEST(SetOrder, AnyNumberOfSetsIsUsedWhole) {
  for (const Spread spread : {Spread::even, Spread::sliced})
    for (const std::uint64_t sets : {1u, 2u, 3u, 7u, 8u, 40u, 1000u}) {
      const SetOrder order(sets, spread);
      std::vector<bool> used(sets);
      for (std::uint64_t line = 0; line < 64 * sets; ++line) used.at(order.set_of(line)) = true;
      EXPECT_EQ(std::count(used.begin(), used.end(), true), static_cast<long>(sets));
    }
}

}  // namespace
}  // namespace fusebox::sim
