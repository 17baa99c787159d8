#include "grader/simulator/observe/traffic/samples.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

constexpr LaneMask kWholeWarp = 0xFFFFFFFF;
constexpr std::uint64_t kSampled = 0x10000;

/// A kernel of two accesses, which the test plays by hand.
class Sampled : public testing::Test {
 protected:
  Sampled() : samples({"", "a.cu"}, {{"x", kSampled, 1 << 20}}) {
    function.instructions.resize(3);
    function.instructions[0].location = {1, 9};
    function.instructions[1].location = {1, 7};
    LaunchInfo launch;
    launch.function = &function;
    launch.grid = {8, 1, 1};
    samples.launch_begin(launch);
  }
  void play(std::uint32_t instruction, Space space, LaneMask lanes, std::uint64_t block,
            const std::function<std::uint64_t(std::uint64_t)>& address) {
    std::array<std::uint64_t, kWarpSize> all;
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) all[lane] = address(lane);
    WarpAccess access;
    access.space = space;
    access.lanes = lanes;
    access.instruction = instruction;
    access.warp.block = block;
    access.address = all.data();
    samples.access(access);
  }
  ptx::Function function;
  Samples samples;
};

TEST_F(Sampled, AccessesOfOneShapeAreOneSample) {
  for (const std::uint64_t block : {4, 0, 7, 7})
    play(0, Space::global, kWholeWarp, block, [&](auto lane) { return kSampled + 1024 * block + 4 * lane; });
  const auto taken = samples.take();
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].requests, 4u);
  EXPECT_EQ(taken[0].block, 0u);
  EXPECT_EQ(taken[0].tensor, "x");
  EXPECT_EQ(taken[0].file, "a.cu");
  EXPECT_EQ(taken[0].line, 9);
  EXPECT_EQ(taken[0].offsets.at(0), 0);
  EXPECT_EQ(taken[0].offsets.at(31), 124);
}

TEST_F(Sampled, OtherLanesPlacesAndStridesAreOtherShapes) {
  play(0, Space::global, kWholeWarp, 0, [](auto lane) { return kSampled + 4 * lane; });
  play(0, Space::global, kWholeWarp, 0,
       [](auto lane) { return kSampled + 4 + 4 * lane; });  // does not begin at a line
  play(0, Space::global, 7, 0, [](auto lane) { return kSampled + 4 * lane; });
  play(0, Space::global, kWholeWarp, 0, [](auto lane) { return kSampled + 8 * lane; });
  play(0, Space::global, kWholeWarp, 0,
       [](auto lane) { return kSampled + 16 * lane; });  // the fifth is not kept
  play(0, Space::global, 7, 0, [](auto lane) { return kSampled + 256 + 4 * lane; });
  const auto taken = samples.take();
  ASSERT_EQ(taken.size(), Samples::kShapesKept);
  EXPECT_EQ(taken[2].requests, 2u);
  std::vector<std::int64_t> offsets(32, -1);
  offsets[0] = 0, offsets[1] = 4, offsets[2] = 8;
  EXPECT_EQ(taken[2].offsets, offsets);
}

TEST_F(Sampled, SharedMemoryCountsFromItsWindowAndLinesAreSorted) {
  play(0, Space::global, kWholeWarp, 0, [](auto lane) { return kSampled + 4 * lane; });
  play(1, Space::shared, kWholeWarp, 0, [](auto lane) { return 64 + 132 * lane; });
  play(2, Space::local, kWholeWarp, 0, [](auto lane) { return lane; });
  const auto taken = samples.take();
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0].line, 7);
  EXPECT_EQ(taken[0].space, "shared");
  EXPECT_EQ(taken[0].tensor, "");
  EXPECT_EQ(taken[0].offsets.at(1), 196);
  EXPECT_EQ(taken[1].line, 9);
}

TEST_F(Sampled, OnlyTheFirstTheMiddleAndTheLastBlock) {
  for (std::uint64_t block = 0; block < 8; ++block)
    play(0, Space::global, kWholeWarp, block, [&](auto lane) { return kSampled + 4 * lane * (block + 1); });
  const auto taken = samples.take();
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_EQ(taken[0].block, 0u);
  EXPECT_EQ(taken[1].block, 4u);
  EXPECT_EQ(taken[2].block, 7u);
}

TEST_F(Sampled, BlocksThatWereSharedOutAreTheSameAsBlocksInOrder) {
  const auto all = [&](std::uint64_t block) {
    for (std::uint64_t i = 0; i < 3; ++i)
      play(0, Space::global, kWholeWarp, block,
           [&](auto lane) { return kSampled + 4 * lane * (i + block + 1); });
  };
  Samples other = samples, whole = samples;
  std::swap(samples, whole);
  for (const std::uint64_t block : {0, 4, 7}) all(block);
  std::swap(samples, whole);
  all(4);
  std::swap(samples, other);
  for (const std::uint64_t block : {0, 7}) all(block);
  samples.merge(other);
  EXPECT_EQ(samples.take(), whole.take());
  EXPECT_EQ(whole.take().size(), Samples::kShapesKept);
}

}  // namespace
}  // namespace fusebox::sim
