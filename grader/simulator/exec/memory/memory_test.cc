#include "grader/simulator/exec/memory/memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace fusebox::sim {
namespace {

class Memory : public testing::Test {
 protected:
  GlobalMemory memory{64ull << 20};
  DeviceAddress base = memory.range().begin;
};

TEST_F(Memory, ABufferIsLiveExactlyWhereItIs) {
  ASSERT_TRUE(memory.allocate("x", base + 4096, 100));
  EXPECT_TRUE(memory.live(base + 4096, 100));
  EXPECT_TRUE(memory.live(base + 4195, 1));
  EXPECT_TRUE(memory.live(base + 4196, 0));
  EXPECT_FALSE(memory.live(base + 4195, 2));
  EXPECT_FALSE(memory.live(base + 4095, 1));
  EXPECT_FALSE(memory.live(base + 4096, 101));
  EXPECT_FALSE(memory.live(base + 4096, ~0ull));
  EXPECT_EQ(*memory.shadow(base + 4095), 0);
  EXPECT_EQ(*memory.shadow(base + 4096), GlobalMemory::kLive);
  EXPECT_EQ(*memory.shadow(base + 4196), 0);
}

TEST_F(Memory, BytesAreDefinedOneByOne) {
  ASSERT_TRUE(memory.allocate("x", base, 64));
  EXPECT_FALSE(memory.defined(base, 1));
  memory.define(base + 8, 8);
  EXPECT_TRUE(memory.defined(base + 8, 8));
  EXPECT_FALSE(memory.defined(base + 8, 9));
  EXPECT_FALSE(memory.defined(base + 7, 2));
}

TEST_F(Memory, RefusesWhatOverlapsOrDoesNotFit) {
  ASSERT_TRUE(memory.allocate("x", base + 4096, 4096));
  EXPECT_FALSE(memory.allocate("y", base + 8191, 1));
  EXPECT_FALSE(memory.allocate("y", base, 4097));
  EXPECT_FALSE(memory.allocate("y", base + 4100, 8));
  EXPECT_TRUE(memory.allocate("y", base + 8192, 1));
  EXPECT_TRUE(memory.allocate("z", base, 4096));
  EXPECT_FALSE(memory.allocate("big", base + 65536, 64ull << 20));
  EXPECT_FALSE(memory.allocate("wild", base - 4096, 8));
  EXPECT_FALSE(memory.allocate("huge", base + 65536, ~0ull));
}

TEST_F(Memory, AFreedBufferIsAGuardAndItsPlaceCanBeTakenAgain) {
  ASSERT_TRUE(memory.allocate("x", base, 256));
  memory.define(base, 256);
  EXPECT_FALSE(memory.free(base + 8));
  EXPECT_TRUE(memory.free(base));
  EXPECT_FALSE(memory.free(base));
  EXPECT_FALSE(memory.live(base, 1));
  EXPECT_EQ(*memory.shadow(base), 0);
  ASSERT_EQ(memory.allocations().size(), 1u);
  EXPECT_TRUE(memory.allocations()[0].freed);
  ASSERT_TRUE(memory.allocate("y", base, 128));
  EXPECT_TRUE(memory.live(base, 128));
  EXPECT_FALSE(memory.defined(base, 1));
}

TEST_F(Memory, ClearForgetsEverything) {
  for (std::uint64_t bytes : {std::uint64_t{100}, std::uint64_t{16} << 20}) {
    ASSERT_TRUE(memory.allocate("x", base, bytes));
    memory.define(base, bytes);
    std::memset(GlobalMemory::data(base), 7, bytes);
    memory.clear();
    EXPECT_TRUE(memory.allocations().empty());
    EXPECT_EQ(*memory.shadow(base), 0);
    EXPECT_EQ(*memory.shadow(base + bytes - 1), 0);
  }
}

TEST(GlobalMemory, EachOfSeveralHasTheSamePlaceInEveryRun) {
  const GlobalMemory first(64 << 20), second(64 << 20);
  // Places are a power of two apart that no kernel would choose by itself.
  EXPECT_EQ((second.range().begin - first.range().begin) % (1ull << 40), 0u);
  EXPECT_NE(second.range().begin, first.range().begin);
}

// Plans that allocate often, each at other places: the pieces that the process's addresses fall into do not
// add up.
TEST(GlobalMemory, ManyBuffersAgainAndAgain) {
  GlobalMemory memory(1 << 30);
  for (std::uint64_t round = 0; round < 16; ++round) {
    for (std::uint64_t i = 0; i < 4000; ++i) {
      const DeviceAddress address = memory.range().begin + (i * 16 + round) * 4096;
      ASSERT_TRUE(memory.allocate("many", address, 64)) << round << " " << i;
      if (i == 0) std::memset(GlobalMemory::data(address), 1, 64);
    }
    memory.clear();
  }
}

}  // namespace
}  // namespace fusebox::sim
