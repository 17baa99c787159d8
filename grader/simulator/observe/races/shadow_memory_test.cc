// Which two accesses of a word are a race; races_test.cc has long histories of them.

#include "grader/simulator/observe/races/shadow_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

constexpr std::uint64_t kShadowed = 0x600000000000;
constexpr std::uint32_t kBlockThreads = 64;

class ShadowMemoryTest : public testing::TestWithParam<Space> {
 protected:
  ShadowMemoryTest() : shadow_({kShadowed, 1 << 20}) {
    function_.instructions.resize(64);
    shadow_.set_log(&log_);
    shadow_.launch_begin();
    begin_block(0);
  }
  void begin_block(std::uint64_t index) {
    index_ = index;
    order_.begin(index, kBlockThreads, publications_);
    block_.begin(kBlockThreads / kWarpSize);
  }
  /// `stride` apart, the first lane's at `offset`.
  WarpAccess access_of(AccessKind kind, std::uint32_t warp, LaneMask lanes = ~LaneMask{0}) {
    WarpAccess access;
    access.space = GetParam();
    access.kind = kind;
    access.warp = {index_, warp, &function_};
    access.instruction = next_++ % 64;
    access.lanes = lanes;
    access.bytes = 4;
    access.address = address_.data();
    if (kind == AccessKind::atomic) access.order = Order::relaxed;
    return access;
  }
  bool race(const WarpAccess& access, std::uint64_t offset, std::uint64_t stride) {
    const std::uint64_t base = GetParam() == Space::global ? kShadowed : 0;
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) address_[lane] = base + offset + lane * stride;
    const std::size_t before = log_.faults().size();
    LaneMask told = 0;
    shadow_.look(access, block_, order_, told);
    return log_.faults().size() > before;
  }
  void barrier() {
    const std::array<BarrierParty, 2> all{BarrierParty{0, ~LaneMask{0}, true}, {1, ~LaneMask{0}, true}};
    order_.barrier_complete(0, all, true);
    block_.all_met();
  }

  ptx::Function function_;
  FaultLog log_;
  Publications publications_;
  HappensBefore order_;
  ShadowMemory::Block block_;
  ShadowMemory shadow_;
  std::array<std::uint64_t, kWarpSize> address_{};
  std::uint64_t index_ = 0;
  std::uint32_t next_ = 0;
};

TEST_P(ShadowMemoryTest, TwoAccessesOfOneWord) {
  using enum AccessKind;
  struct Row {
    const char* what;
    AccessKind first, second;
    bool race;
    Order order = Order::weak;
  };
  std::uint64_t offset = 0;
  for (const Row& row : {Row{"read twice", load, load, false},
                         {"written, then read", store, load, true},
                         {"read, then written", load, store, true},
                         {"written twice", store, store, true},
                         {"atomics", atomic, atomic, false},
                         {"an atomic behind a store", store, atomic, true},
                         {"a load behind an atomic", atomic, load, true},
                         {"volatile ones", store, load, false, Order::volatile_access},
                         {"relaxed ones", store, load, false, Order::relaxed}}) {
    for (const bool ordered : {false, true}) {
      offset += 256;
      WarpAccess first = access_of(row.first, 0);
      if (row.order != Order::weak) first.order = row.order;
      EXPECT_FALSE(race(first, offset, 4)) << row.what;
      if (ordered) barrier();
      WarpAccess second = access_of(row.second, 1);
      if (row.order != Order::weak) second.order = row.order;
      EXPECT_EQ(race(second, offset, 4), row.race && !ordered) << row.what << (ordered ? ", ordered" : "");
    }
  }
}

TEST_P(ShadowMemoryTest, BytesOfAWordAreApart) {
  WarpAccess first = access_of(AccessKind::store, 0, 1), second = access_of(AccessKind::store, 1, 1);
  first.bytes = second.bytes = 1;
  EXPECT_FALSE(race(first, 16, 4));
  EXPECT_FALSE(race(second, 17, 4));
  EXPECT_TRUE(race(access_of(AccessKind::load, 1, 1), 16, 4)) << "one of the four is another warp's";
}

TEST_P(ShadowMemoryTest, LanesOfAWarpAreOrderedByMeeting) {
  const WarpAccess whole = access_of(AccessKind::store, 0);
  EXPECT_FALSE(race(whole, 0, 4));
  EXPECT_FALSE(race(access_of(AccessKind::load, 0), 0, 4)) << "each lane its own";
  EXPECT_TRUE(race(access_of(AccessKind::load, 0, 1), 4, 4)) << "lane 0 what lane 1 stored";
  order_.warp_sync(0, ~LaneMask{0}, true);
  EXPECT_FALSE(race(access_of(AccessKind::load, 0, 2), 0, 0)) << "lane 1 what lane 0 stored, and they met";
}

TEST_P(ShadowMemoryTest, AnyShapeFindsWhatARunFinds) {
  // A store by a whole warp at once, and readers in other shapes: each meets it.
  for (const auto& [stride, lanes] : {std::pair{std::uint64_t{4}, ~LaneMask{0}},
                                      {8, 0xffffu},
                                      {0, ~LaneMask{0}},
                                      {4, 0x0f0fu},
                                      {4, 1u << 31}}) {
    begin_block(index_ + 1);
    const std::uint64_t at = 1024 * index_;
    EXPECT_FALSE(race(access_of(AccessKind::store, 0), at, 4));
    EXPECT_TRUE(race(access_of(AccessKind::load, 1, lanes), at, stride)) << stride << " " << lanes;
  }
}

TEST_P(ShadowMemoryTest, ALaneIsToldOnce) {
  EXPECT_FALSE(race(access_of(AccessKind::store, 0), 0, 4));
  LaneMask told = ~LaneMask{0};
  shadow_.look(access_of(AccessKind::load, 1), block_, order_, told);
  EXPECT_TRUE(log_.faults().empty());
}

TEST_P(ShadowMemoryTest, AnotherBlockHasItsOwnSharedMemoryAndTheSameGlobal) {
  EXPECT_FALSE(race(access_of(AccessKind::store, 0), 0, 4));
  begin_block(1);
  EXPECT_EQ(race(access_of(AccessKind::load, 0), 0, 4), GetParam() == Space::global);
  shadow_.launch_begin();
  EXPECT_FALSE(race(access_of(AccessKind::load, 1), 0, 4)) << "launches are in order";
}

INSTANTIATE_TEST_SUITE_P(, ShadowMemoryTest, testing::Values(Space::shared, Space::global),
                         [](const auto& each) { return each.param == Space::shared ? "Shared" : "Global"; });

}  // namespace
}  // namespace fusebox::sim
