#include "grader/simulator/observe/races/copies_in_flight.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>

namespace fusebox::sim {
namespace {

/// An access of shared memory by lanes of a warp, `bytes` each, side by side from `at` on.
struct Lanes {
  Lanes(std::uint32_t warp, LaneMask lanes, std::uint64_t at, std::uint8_t bytes = 4) {
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) address[lane] = at + lane * bytes;
    access.space = Space::shared;
    access.kind = AccessKind::store;
    access.warp.warp = warp;
    access.lanes = lanes;
    access.bytes = bytes;
    access.address = address.data();
  }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;
  std::array<std::uint64_t, kWarpSize> address{};
  WarpAccess access;
};

/// The lanes that overlap a copy in flight.
LaneMask overlapping(const CopiesInFlight& copies, const Lanes& lanes) {
  LaneMask found = 0;
  if (!copies.may_overlap(lanes.access)) return found;
  for (int lane = 0; lane < kWarpSize; ++lane)
    if ((lanes.access.lanes >> lane & 1) != 0 && copies.overlapped(lanes.access, lane))
      found |= LaneMask{1} << lane;
  return found;
}

TEST(CopiesInFlight, NobodyTouchesTheirBytesUntilTheyComplete) {
  CopiesInFlight copies;
  copies.begin_block(2);
  EXPECT_FALSE(copies.any());
  const Lanes whole(0, ~LaneMask{0}, 1024, 16);  // bytes 1024 to 1535
  copies.begin(whole.access);
  EXPECT_TRUE(copies.any());
  struct Row {
    std::uint64_t at;
    std::uint8_t bytes;
    LaneMask lanes, overlap;
  };
  for (const Row& row : {Row{1024, 4, ~LaneMask{0}, ~LaneMask{0}},
                         {896, 4, ~LaneMask{0}, 0},
                         {960, 4, ~LaneMask{0}, 0xffff0000u},
                         {1535, 1, 1, 1},
                         {1536, 4, ~LaneMask{0}, 0},
                         {1472, 8, 0x1ff, 0xff},
                         {1 << 20, 16, ~LaneMask{0}, 0}}) {
    const Lanes other(1, row.lanes, row.at, row.bytes);
    EXPECT_EQ(overlapping(copies, other), row.overlap) << row.at;
  }
  const auto asked = copies.overlapped(Lanes(1, 1, 1040).access, 0);
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->thread, 1u) << "lane 1 of warp 0";
  EXPECT_TRUE(asked->in_flight);

  const auto stored = copies.complete(0, ~LaneMask{0}, CopyUse::wait_all, 0);
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_EQ(stored[0].lanes, ~LaneMask{0});
  EXPECT_EQ(stored[0].address[1], 1040u);
  EXPECT_FALSE(copies.any());
  EXPECT_EQ(overlapping(copies, Lanes(1, ~LaneMask{0}, 1024)), 0u);
}

TEST(CopiesInFlight, AWaitIsForAllGroupsButTheLastFew) {
  CopiesInFlight copies;
  copies.begin_block(1);
  for (std::uint64_t group = 0; group < 3; ++group) {
    copies.begin(Lanes(0, ~LaneMask{0}, 128 * group).access);
    EXPECT_TRUE(copies.complete(0, ~LaneMask{0}, CopyUse::commit, 0).empty());
  }
  auto stored = copies.complete(0, ~LaneMask{0}, CopyUse::wait, 1);
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0].address[0], 0u);
  EXPECT_EQ(stored[1].address[0], 128u);
  EXPECT_EQ(overlapping(copies, Lanes(0, 1, 256)), 1u);
  // A lane waits for its own alone.
  stored = copies.complete(0, 0xffff, CopyUse::wait, 0);
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_EQ(stored[0].lanes, 0xffffu);
  EXPECT_EQ(overlapping(copies, Lanes(0, ~LaneMask{0}, 256)), 0xffff0000u);
  // What is not committed is in no group that could be waited for.
  copies.begin(Lanes(0, 1, 512).access);
  EXPECT_TRUE(copies.complete(0, 1, CopyUse::wait, 0).empty());
}

TEST(CopiesInFlight, WhatAnMbarrierWasHandedCompletesWithIt) {
  CopiesInFlight copies;
  copies.begin_block(2);
  copies.begin(Lanes(1, ~LaneMask{0}, 1024).access);
  std::array<std::uint64_t, kWarpSize> mbarriers{};
  for (std::size_t lane = 0; lane < kWarpSize; ++lane) mbarriers[lane] = lane < 16 ? 8 : 16;
  const auto stored = copies.hand_over(1, ~LaneMask{0}, mbarriers.data());
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_EQ(stored[0].lanes, ~LaneMask{0});
  EXPECT_TRUE(copies.hand_over(1, ~LaneMask{0}, mbarriers.data()).empty()) << "it has been told of";
  const Lanes all(0, ~LaneMask{0}, 1024);
  EXPECT_EQ(overlapping(copies, all), ~LaneMask{0}) << "nobody has waited";
  copies.complete_at(16);
  EXPECT_EQ(overlapping(copies, all), 0xffffu);
  EXPECT_EQ(copies.complete(1, ~LaneMask{0}, CopyUse::wait_all, 0).size(), 1u)
      << "a thread waits for its own";
  EXPECT_FALSE(copies.any());
}

TEST(CopiesInFlight, BulkCopiesCompleteWithTheirMbarrier) {
  CopiesInFlight copies;
  copies.begin_block(2);
  for (const std::int64_t mbarrier : {8, 16}) {
    Lanes part(1, 0xff, 1024 * static_cast<std::uint64_t>(mbarrier), 16);  // 128 bytes
    part.access.completes = mbarrier;
    copies.begin_bulk(part.access, 3);
  }
  const Lanes first(0, ~LaneMask{0}, 8192), second(0, ~LaneMask{0}, 16384);
  EXPECT_EQ(overlapping(copies, first), ~LaneMask{0});
  EXPECT_EQ(copies.overlapped(first.access, 0)->thread, 35u) << "lane 3 of warp 1";
  copies.complete_at(8);
  EXPECT_EQ(overlapping(copies, first), 0u);
  EXPECT_EQ(overlapping(copies, second), ~LaneMask{0});
  copies.complete_at(16);
  EXPECT_FALSE(copies.any());
}

TEST(CopiesInFlight, AnotherBlockBeginsWithNone) {
  CopiesInFlight copies;
  copies.begin_block(1);
  copies.begin(Lanes(0, 1, 0).access);
  copies.begin_block(1);
  EXPECT_FALSE(copies.any());
  EXPECT_EQ(overlapping(copies, Lanes(0, 1, 0)), 0u);
}

}  // namespace
}  // namespace fusebox::sim
