#include "grader/simulator/observe/races/bytes_touched.h"

#include <gtest/gtest.h>

namespace fusebox::sim {
namespace {

struct Part {
  AccessKind kind;
  std::uint64_t address, bytes;
};

TEST(BytesTouched, MeetsWhereOneOfTwoChangesWhatTheOtherTouches) {
  constexpr auto kLoad = AccessKind::load, kStore = AccessKind::store, kAtomic = AccessKind::atomic;
  constexpr std::uint64_t kBase = 0x7000'0000'0000, kNone = 0;
  struct Row {
    Part mine, theirs;
    std::uint64_t address;  ///< 0: they do not meet
  };
  const Row rows[] = {
      {{kLoad, kBase, 64}, {kLoad, kBase, 64}, kNone},
      {{kAtomic, kBase, 4}, {kAtomic, kBase, 4}, kNone},
      {{kStore, kBase, 64}, {kLoad, kBase + 60, 8}, kBase + 60},
      {{kLoad, kBase + 60, 8}, {kStore, kBase, 64}, kBase + 60},
      {{kStore, kBase, 4}, {kStore, kBase, 4}, kBase},
      {{kStore, kBase, 64}, {kLoad, kBase + 64, 8}, kNone},
      {{kAtomic, kBase, 4}, {kLoad, kBase + 3, 1}, kBase + 3},
      {{kAtomic, kBase, 4}, {kStore, kBase, 1}, kBase},
      {{kStore, kBase, 1 << 20}, {kLoad, kBase + (1 << 20) - 1, 1}, kBase + (1 << 20) - 1},
      {{kStore, kBase + 4090, 12}, {kLoad, kBase + 4100, 4}, kBase + 4100},
      {{kStore, kBase, 0}, {kStore, kBase, 4}, kNone},
  };
  for (const Row& row : rows) {
    BytesTouched mine, theirs;
    mine.add(row.mine.kind, row.mine.address, row.mine.bytes);
    theirs.add(row.theirs.kind, row.theirs.address, row.theirs.bytes);
    const auto meeting = mine.meets(theirs);
    EXPECT_EQ(meeting ? meeting->address : kNone, row.address);
    if (!meeting) continue;
    EXPECT_EQ(meeting->mine, row.mine.kind);
    EXPECT_EQ(meeting->theirs, row.theirs.kind);
  }
}

}  // namespace
}  // namespace fusebox::sim
