#include "grader/simulator/exec/execution/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace fusebox::sim {
namespace {

TEST(Schedule, WithoutASeedEverythingIsInOrder) {
  Schedule schedule(std::nullopt);
  EXPECT_TRUE(schedule.in_order());
  for (int round = 0; round < 3; ++round) {
    const auto order = schedule.order(5);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(order.size(), 5u);
    EXPECT_EQ(schedule.pick(7), 0u);
    EXPECT_EQ(schedule.slice(), schedule.slice());
  }
}

TEST(Schedule, ASeedGivesTheSameDecisionsAgain) {
  Schedule a(42), b(42), other(43);
  bool differs = false;
  for (int round = 0; round < 50; ++round) {
    const auto order = a.order(32);
    const std::vector<std::uint32_t> first(order.begin(), order.end());
    const auto again = b.order(32);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), again.begin(), again.end()));
    const auto third = other.order(32);
    differs = differs || !std::equal(first.begin(), first.end(), third.begin(), third.end());
    EXPECT_EQ(a.slice(), b.slice());
    EXPECT_EQ(a.pick(9), b.pick(9));
  }
  EXPECT_TRUE(differs);
}

TEST(Schedule, EveryWarpGetsItsTurnAndEveryChoiceIsPossible) {
  Schedule schedule(7);
  std::set<std::size_t> picked;
  std::set<std::int64_t> slices;
  std::set<std::uint32_t> first;
  for (int round = 0; round < 500; ++round) {
    const auto order = schedule.order(8);
    std::vector<std::uint32_t> sorted(order.begin(), order.end()), all(8);
    first.insert(order[0]);
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(sorted, all);
    picked.insert(schedule.pick(5));
    slices.insert(schedule.slice());
  }
  EXPECT_EQ(picked.size(), 5u);
  EXPECT_EQ(first.size(), 8u);
  EXPECT_EQ(*slices.begin(), 1);
  EXPECT_GT(slices.size(), 8u);
}

}  // namespace
}  // namespace fusebox::sim
