#include "grader/simulator/observe/modelled/l2/dram_visits.h"

#include <gtest/gtest.h>

namespace fusebox::sim {
namespace {

TEST(DramVisits, WholeLinesCostTheirBytesWhereverTheyLie) {
  DramVisits dram;
  for (std::uint64_t line = 1; line < 1'000'000; line *= 3) {
    EXPECT_EQ(dram.read(line, 128), 0u);
    EXPECT_EQ(dram.written(line, 128), 0u);
  }
}

TEST(DramVisits, HalfALineCostsMoreWhereNothingNearItIsRead) {
  DramVisits dram;
  EXPECT_GT(dram.read(100'000, 64), 0u);
  EXPECT_EQ(dram.read(100'002, 64), 0u) << "its page is open";
  EXPECT_EQ(dram.read(99'998, 64), 0u);
  EXPECT_GT(dram.read(200'000, 64), 0u);
  for (std::uint64_t line = 0; line < 100; ++line) dram.read(1'000'000 + 1'000 * line, 128);
  EXPECT_GT(dram.read(100'003, 64), 0u) << "that is long ago";
}

TEST(DramVisits, ALineIsWrittenNoFasterThanTheLeast) {
  DramVisits dram;
  const std::uint64_t alone = dram.written(100'000, 32), beside = dram.written(100'001, 32);
  EXPECT_GT(alone, beside);
  EXPECT_EQ(beside, 90u - 32u);
  EXPECT_EQ(dram.written(100'002, 96), 0u);
  EXPECT_EQ(dram.written(100'003, 64), 90u - 64u);
}

TEST(DramVisits, ASectorThatIsFilledTakesAsLongAsItsPair) {
  DramVisits dram;
  dram.read(100'000, 128);
  EXPECT_EQ(dram.filled(100'001, 0), 32);
  EXPECT_EQ(dram.filled(100'001, 2), 32);
  EXPECT_EQ(dram.filled(100'001, 3), -32) << "the pair of the one before";
  EXPECT_EQ(dram.filled(100'001, 2), 32) << "which is paired already";
  EXPECT_GT(dram.filled(200'000, 0), 32);
}

}  // namespace
}  // namespace fusebox::sim
