#include "grader/simulator/observe/modelled/load_depths.h"

#include <gtest/gtest.h>

#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {
namespace {

std::vector<std::uint8_t> marks_of(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<2>;\n"
      ".reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n" +
      body + "ret;\n}\n");
  EXPECT_TRUE(module) << module.error().what;
  return module ? load_depths(module->functions.at(0)) : std::vector<std::uint8_t>{};
}

std::vector<std::uint8_t> depths_of(const std::string& body) {
  std::vector<std::uint8_t> depths = marks_of(body);
  for (std::uint8_t& depth : depths) depth = static_cast<std::uint8_t>(depth & ~kBehindStores);
  return depths;
}

TEST(LoadDepths, OnlyWhatNobodyWritesPassesEarlierStores) {
  const auto marks = marks_of(
      "ld.global.u32 %r1, [%rd0];\nld.global.nc.u32 %r2, [%rd1];\nld.shared.u32 %r3, [%r0];\n"
      "st.global.u32 [%rd2], %r1;\n");
  EXPECT_EQ(marks.at(0), kBehindStores);
  EXPECT_EQ(marks.at(1), 0);
  EXPECT_EQ(marks.at(2), 0);
  EXPECT_EQ(marks.at(3), 1);
}

TEST(LoadDepths, AnAddressOutOfALoadWaitsForItAlsoUnderAShortBranch) {
  const auto depths = depths_of(
      "ld.global.u64 %rd1, [%rd0];\n@%p1 bra L;\nld.global.u32 %r1, [%rd1];\nL:\nld.global.u32 %r2, "
      "[%rd2];\n");
  EXPECT_EQ(depths.at(2), 1);
  EXPECT_EQ(depths.at(3), 0);
}

TEST(LoadDepths, ALoopStartsAnew) {
  const auto depths = depths_of(
      "ld.global.u64 %rd1, [%rd0];\nL:\nld.global.u64 %rd1, [%rd1];\n@%p1 bra L;\nld.global.u32 %r1, "
      "[%rd1];\n");
  EXPECT_EQ(depths.at(1), 0);  // its run has not asked for that address
  EXPECT_EQ(depths.at(3), 1);  // that one did, and nothing waits at the branch
}

TEST(LoadDepths, AnExactDivisionIsABranchThatNoLoadPasses) {
  const auto with = [](const std::string& between) {
    return depths_of("ld.global.f32 %r1, [%rd0];\n" + between + "ld.global.f32 %r2, [%rd0+4];\n").at(2);
  };
  EXPECT_EQ(with("div.rn.f32 %r1, %r1, %r3;\n"), 1);
  EXPECT_EQ(with("sqrt.rn.f32 %r1, %r1;\n"), 1);
  EXPECT_EQ(with("div.rn.f32 %r2, %r3, %r3;\n"), 0);    // of nothing that was loaded
  EXPECT_EQ(with("div.full.f32 %r1, %r1, %r3;\n"), 0);  // a few instructions in a row
  EXPECT_EQ(with("mul.rn.f32 %r1, %r1, %r3;\n"), 0);
}

/// Two copies in a run, `load` twice and the place of the second one.
std::vector<std::uint8_t> two_copies(const std::string& load, const std::string& from,
                                     const std::string& between = "") {
  return depths_of(load + " %r1, [%rd0];\nst.global.u32 [%rd1], %r1;\n" + between + load + " %r2, [" + from +
                   "];\nst.global.u32 [%rd1+8], %r2;\n");
}

TEST(LoadDepths, APlainLoadStaysBehindAStoreThatMayBeToItsPlace) {
  EXPECT_EQ(two_copies("ld.global.u32", "%rd2").at(2), 1);
  EXPECT_EQ(two_copies("ld.u32", "%rd2").at(2), 1);
  EXPECT_EQ(two_copies("ld.global.nc.u32", "%rd2").at(2), 0) << "nobody writes what it loads";
  EXPECT_EQ(two_copies("ld.shared.u32", "%rd2").at(2), 0) << "another memory";
  EXPECT_EQ(two_copies("ld.global.u32", "%rd1+4").at(2), 0) << "beside the store, from the same register";
  EXPECT_EQ(two_copies("ld.global.u32", "%rd1").at(2), 1) << "what was just stored";
  EXPECT_EQ(two_copies("ld.global.u32", "%rd1+4", "add.u64 %rd1, %rd1, 64;\n").at(3), 1)
      << "the register is another one by then";
}

TEST(LoadDepths, APlaceThatIsNamedFirstIsReadAndNotWritten) {
  for (const char* named :
       {"st.shared.u32 [%r1], %r2;\n", "cp.async.ca.shared.global [%r1], [%rd1], 16;\n",
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r2};\n", "prefetch.global.L2 [%rd2];\n",
        "red.shared.add.u32 [%r1], %r2;\n", "mbarrier.init.shared.b64 [%r1], 1;\n"}) {
    // What it reads was loaded; its address was not, and who uses that next waits for nothing.
    const auto behind =
        depths_of("ld.global.u32 %r2, [%rd0];\nld.global.u64 %rd1, [%rd0];\n" + std::string(named) +
                  "ld.shared.u32 %r3, [%r1];\nld.global.nc.u32 %r3, [%rd2];\n");
    EXPECT_EQ(behind.at(3), 0) << named;
    EXPECT_EQ(behind.at(4), 0) << named;
    // And where its address was loaded, it waits itself.
    const auto own =
        depths_of("ld.global.u32 %r1, [%rd0];\nld.global.u64 %rd2, [%rd0];\n" + std::string(named));
    EXPECT_EQ(own.at(2) & ~kAsynchronous, 1) << named;
  }
}

TEST(LoadDepths, AStoreOfNothingThatWasLoadedHoldsNobodyUp) {
  const auto depths =
      depths_of("ld.global.u32 %r1, [%rd0];\nst.global.u32 [%rd1], %r3;\nld.global.u32 %r2, [%rd2];\n");
  EXPECT_EQ(depths.at(2), 0);
}

TEST(LoadDepths, WhatStandsBeforeAnExactDivisionIsDoneBeforeWhatStandsBehindIt) {
  const auto behind = [](const std::string& between) {
    return depths_of("ld.global.nc.f32 %r1, [%rd0];\n" + between +
                     "div.rn.f32 %r3, %r4, %r5;\nld.global.nc.f32 %r6, [%rd1];\n")
        .at(between.empty() ? 2 : 3);
  };
  EXPECT_EQ(behind(""), 0) << "what was loaded is still under way";
  EXPECT_EQ(behind("add.f32 %r2, %r1, %r1;\n"), 1);
  EXPECT_EQ(behind("st.global.f32 [%rd2], %r1;\n"), 1);
}

TEST(LoadDepths, ARunGoesOnToBothSidesOfABranchThatWaitsForNothing) {
  const std::string more = "add.s32 %r3, %r3, 1;\nadd.s32 %r3, %r3, 1;\nadd.s32 %r3, %r3, 1;\n";
  const auto depths =
      depths_of("ld.global.u64 %rd1, [%rd0];\n@%p1 bra L;\nld.global.u32 %r1, [%rd1];\n" + more +
                "bra M;\nL:\nld.global.u32 %r1, [%rd1];\nM:\nld.global.u32 %r2, [%rd1];\n");
  EXPECT_EQ(depths.at(2), 1);
  EXPECT_EQ(depths.at(7), 1) << "where it leads";
  EXPECT_EQ(depths.at(8), 0) << "both ways come there";
}

}  // namespace
}  // namespace fusebox::sim
