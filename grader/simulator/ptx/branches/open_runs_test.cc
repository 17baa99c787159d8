#include "grader/simulator/ptx/branches/open_runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "grader/simulator/ptx/parser.h"

namespace fusebox::ptx {
namespace {

const std::string kLoad = "ld.global.u32 %r1, [%rd1];\n";
/// More than is predicated.
const std::string kLong = [] {
  std::string adds;
  for (int i = 0; i < 8; ++i) adds += "add.s32 %r2, %r2, 1;\n";
  return adds;
}();

/// Of the branch at instruction 1: on which sides the run goes on.
struct Sides {
  bool next = false, target = false;
  bool operator==(const Sides&) const = default;
};
Sides sides_of(const std::string& body) {
  const auto module = parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<3>;\n"
      ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n" +
      body + "ret;\n}\n");
  EXPECT_TRUE(module) << module.error().what;
  if (!module) return {};
  const Function& function = module->functions.at(0);
  const OpenRuns open = open_runs(function, short_branches(function));
  return {open.next.at(1), open.target.at(1)};
}

TEST(OpenRuns, AreThoseWhereNothingThatIsUnderWayWasUsed) {
  const std::string over = "@%p1 bra L;\n" + kLong + "bra M;\nL:\n" + kLong + "M:\n";
  EXPECT_EQ(sides_of(kLoad + over), (Sides{true, true}));
  EXPECT_EQ(sides_of("ld.param.u32 %r1, [p];\n" + over), (Sides{})) << "of no memory that is waited for";
  EXPECT_EQ(sides_of("mov.u32 %r1, 0;\n" + over), (Sides{})) << "nothing is under way";
  EXPECT_EQ(sides_of("ld.global.u32 %r1, [%rd1];\n@%r1 bra L;\n" + kLong + "bra M;\nL:\n" + kLong + "M:\n"),
            (Sides{}))
      << "of what was loaded";
}

TEST(OpenRuns, WhatOtherWaysLeadToStartsAnew) {
  EXPECT_EQ(sides_of(kLoad + "@%p1 bra L;\n" + kLong + "L:\n" + kLong), (Sides{true, false})) << "falls into";
  EXPECT_EQ(sides_of(kLoad + "@%p1 bra L;\n" + kLong + "@%p2 bra L;\nbra M;\nL:\n" + kLong + "M:\n"),
            (Sides{true, false}))
      << "two branches lead there";
  EXPECT_EQ(sides_of("L:\n" + kLoad + "@%p1 bra L;\n" + kLong), (Sides{true, false})) << "a loop";
  EXPECT_EQ(sides_of(kLoad + "@%p1 bra L;\nM:\n" + kLong + "@%p2 bra M;\nbra N;\nL:\n" + kLong + "N:\n"),
            (Sides{false, true}))
      << "a loop begins behind it";
}

TEST(OpenRuns, AnUnconditionalBranchIsOneToo) {
  EXPECT_EQ(sides_of(kLoad + "bra L;\nM:\n" + kLong + "bra N;\nL:\n" + kLong + "@%p2 bra M;\nN:\n"),
            (Sides{false, true}));
}

TEST(OpenRuns, BarriersAreOpenWhereNothingThatIsUnderWayWasUsed) {
  const std::string load = "ld.shared.u32 %r1, [%rd1];\n", use = "st.shared.u32 [%rd2], %r1;\n";
  EXPECT_EQ(sides_of(load + "bar.sync 0;\n" + use), (Sides{true, false}));
  EXPECT_EQ(sides_of(load + "barrier.sync 0;\n" + use), (Sides{true, false}));
  EXPECT_EQ(sides_of("mov.u32 %r1, 0;\nbar.sync 0;\n" + use), (Sides{})) << "nothing is under way";
  EXPECT_EQ(sides_of("ld.shared.u32 %r1, [%r1];\nbar.sync %r1;\n"), (Sides{})) << "used by it";
  EXPECT_EQ(sides_of(load + "bar.sync 0;\nL:\n" + use + "@%p1 bra L;\n"), (Sides{})) << "a loop begins there";
}

}  // namespace
}  // namespace fusebox::ptx
