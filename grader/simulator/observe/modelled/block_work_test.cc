#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "grader/simulator/observe/modelled/caches.h"

namespace fusebox::sim {
namespace {

using testing::ElementsAre;

GpuProfile gpu() {
  GpuProfile gpu;
  gpu.sms = 2;
  gpu.l2_bytes = gpu.l2_effective_bytes = 64 << 10;
  gpu.shared_latency_cycles = 30;
  gpu.l2_latency_cycles = 300;
  gpu.instruction_cycles = 5;
  return gpu;
}

/// What blocks of a launch do.
class BlockWorkTest : public ::testing::Test {
 protected:
  explicit BlockWorkTest(std::uint32_t blocks = 1, std::uint32_t warps = 4) : caches(gpu()) {
    LaunchInfo launch;
    launch.grid.x = blocks;
    launch.block.x = warps * kWarpSize;
    caches.begin_launch(launch);
  }
  void event(CacheEvent::Kind kind, std::uint64_t where = 0, std::uint8_t warp = 0) {
    CacheEvent event{where, kind, 0, warp};
    if (kind == CacheEvent::Kind::load || kind == CacheEvent::Kind::bulk_load) event.touched = 0b1111;
    caches.apply({&event, 1});
  }
  void issue(std::uint8_t warp, std::uint64_t instructions) {
    event(CacheEvent::Kind::issued, instructions, warp);
  }
  void load(std::uint8_t warp, std::uint64_t line) {
    event(CacheEvent::Kind::load, line, warp);
    event(CacheEvent::Kind::wait, 0, warp);
  }
  CacheTraffic::BlockWork work() const { return caches.traffic().of_blocks.front(); }
  Caches caches;
};

class FourOfSixBlocks : public BlockWorkTest {
 protected:
  FourOfSixBlocks() : BlockWorkTest(6, 1) {}
};

TEST_F(FourOfSixBlocks, AreToldOfAndTheOthersDoAsTheyDo) {
  for (std::uint64_t block = 0; block < 4; ++block) {
    event(CacheEvent::Kind::block, block);
    for (std::uint64_t i = 0; i < (block % 2 == 0 ? 3u : 1u); ++i) load(0, 100);
  }
  std::vector<std::uint64_t> lines;
  for (const CacheTraffic::BlockWork& block : caches.traffic().of_blocks) lines.push_back(block.lines);
  EXPECT_THAT(lines, ElementsAre(3, 1, 3, 1, 3, 1));
}

TEST_F(BlockWorkTest, BetweenTwoBarriersTheSlowestWarpDecides) {
  event(CacheEvent::Kind::block);
  issue(0, 100), issue(1, 10);
  load(1, 100), load(1, 101), load(1, 102);  // 900 cycles and 50, where warp 0 has 500
  event(CacheEvent::Kind::barrier);
  EXPECT_EQ(work().warps.instructions, 110u);
  EXPECT_EQ(work().slowest.instructions, 10u);
  EXPECT_EQ(work().slowest.outside_waits, 3u);
  issue(2, 7), issue(3, 8);
  event(CacheEvent::Kind::barrier);
  EXPECT_EQ(work().warps.instructions, 125u);
  EXPECT_EQ(work().slowest.instructions, 18u) << "another one in each stretch";
  EXPECT_EQ(work().slowest.outside_waits, 3u);
  issue(0, 20), issue(1, 30);
  event(CacheEvent::Kind::end);
  EXPECT_EQ(work().warps.instructions, 175u);
  EXPECT_EQ(work().slowest.instructions, 18u);
  EXPECT_EQ(work().last.instructions, 50u);
  EXPECT_EQ(work().last_slowest.instructions, 30u);
}

// Whoever comes first brings from DRAM what the others find in L2: they wait for it all the same.
TEST_F(BlockWorkTest, WhoComesFirstIsNoSlower) {
  event(CacheEvent::Kind::block);
  for (const std::uint8_t warp : {0, 1})
    event(CacheEvent::Kind::bulk_load, 100, warp), event(CacheEvent::Kind::wait, 0, warp);
  issue(1, 1);
  event(CacheEvent::Kind::barrier);
  EXPECT_EQ(work().slowest.instructions, 1u);
}

TEST_F(BlockWorkTest, ABlockThatIsLeftForAnotherKeepsWhatItDid) {
  event(CacheEvent::Kind::block, 0);
  issue(0, 5);
  event(CacheEvent::Kind::block, 1);
  issue(0, 50);
  event(CacheEvent::Kind::barrier);
  EXPECT_EQ(work().slowest.instructions, 5u);
}

}  // namespace
}  // namespace fusebox::sim
