#include "grader/simulator/exec/execution/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "grader/simulator/exec/execution/test_device.h"

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

// Blocks that meet at a barrier of their own making: a counter that all add to, and a loop until all have. A
// block that only asks again and again hands on at once, whichever of its threads ask and however.
TEST(Schedule, BlocksThatOnlyAskHandOn) {
  constexpr std::uint32_t kBlocks = 2, kRounds = 10;  // as many as one SM holds
  const struct {
    const char *name, *who, *asks;
    std::uint32_t arrivals;
  } kRows[] = {
      {"one thread loads", "setp.ne.u32 %p1, %r3, 0; @%p1 bra MET;", "ld.volatile.global.u32 %r4, [%rd1];",
       1},
      {"one thread adds 0", "setp.ne.u32 %p1, %r3, 0; @%p1 bra MET;", "atom.global.add.u32 %r4, [%rd1], 0;",
       1},
      {"all threads load", "", "ld.volatile.global.u32 %r4, [%rd1];", 64},
      {"all threads add 0", "", "atom.global.add.u32 %r4, [%rd1], 0;", 64},
  };
  for (const auto& row : kRows) {
    TestDevice device(
        kPtxHeader +
        ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>;\n"
        "ld.param.u64 %rd1, [p]; mov.u32 %r3, %tid.x; mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
        "ROUND: add.u32 %r1, %r1, 1; add.u32 %r2, %r2, " +
        std::to_string(kBlocks * row.arrivals) + ";\nbar.sync 0;\n" + row.who +
        "red.global.add.u32 [%rd1], 1;\nASK: " + row.asks +
        "setp.lt.u32 %p2, %r4, %r2; @%p2 bra ASK;\nMET: bar.sync 0; setp.lt.u32 %p3, %r1, " +
        std::to_string(kRounds) + "; @%p3 bra ROUND;\nret;\n}\n");
    const DeviceAddress word = device.buffer(std::vector<std::uint32_t>(1));
    device.max_warp_instructions = 100'000;
    EXPECT_EQ(device.launch("k", {kBlocks, 1, 1}, {64, 1, 1}, {word}), Ending::complete) << row.name;
    EXPECT_EQ(device.read<std::uint32_t>(word, 1)[0], kBlocks * kRounds * row.arrivals) << row.name;
  }
}

}  // namespace
}  // namespace fusebox::sim
