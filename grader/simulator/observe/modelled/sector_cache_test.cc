#include "grader/simulator/observe/modelled/sector_cache.h"

#include <gtest/gtest.h>

#include <bit>

namespace fusebox::sim {
namespace {

unsigned sectors_cast_out(const SectorCache::Effect& effect) {
  unsigned sum = 0;
  for (const SectorCache::CastOut& line : effect.cast_out())
    sum += static_cast<unsigned>(std::popcount(line.dirty));
  return sum;
}

unsigned sectors_filled(const SectorCache::Effect& effect) {
  unsigned sum = 0;
  for (const SectorCache::CastOut& line : effect.cast_out())
    sum += static_cast<unsigned>(std::popcount(line.filled));
  return sum;
}

TEST(SectorCache, AMissBringsOnlyTheSectorsAskedFor) {
  SectorCache cache(4096, 4);
  EXPECT_EQ(cache.read(7, 0b0011).missed, 0b0011);
  EXPECT_EQ(cache.read(7, 0b0110).missed, 0b0100);
  EXPECT_EQ(cache.present(7), 0b0111);
  EXPECT_EQ(cache.present(8), 0);
}

TEST(SectorCache, TheLineThatWasUsedLongestAgoGoes) {
  SectorCache cache(4 * SectorCache::kLineBytes, 4);  // one set
  for (std::uint64_t line = 0; line < 4; ++line) cache.read(line, 0b1111);
  cache.read(0, 0b0001);
  cache.read(4, 0b0001);  // 1 is the oldest now
  EXPECT_EQ(cache.present(0), 0b1111);
  EXPECT_EQ(cache.present(1), 0);
  EXPECT_EQ(cache.present(2), 0b1111);
}

TEST(SectorCache, DirtySectorsAreCastOutOnce) {
  SectorCache cache(SectorCache::kLineBytes, 1);
  cache.write(1, 0b0101, 0x00ff00ff);
  EXPECT_EQ(sectors_cast_out(cache.read(2, 0b1111)), 2u);
  EXPECT_EQ(sectors_cast_out(cache.read(3, 0b1111)), 0u);
}

TEST(SectorCache, WhatIsCastOutIsToldLineByLine) {
  SectorCache cache(SectorCache::kLineBytes, 1);
  cache.write(7, 0b0101, 0x000f00ff);
  const SectorCache::Effect effect = cache.read(8, 0b0001);
  ASSERT_EQ(effect.cast_out().size(), 1u);
  EXPECT_EQ(effect.cast_out()[0].line, 7u);
  EXPECT_EQ(effect.cast_out()[0].dirty, 0b0101);
  EXPECT_EQ(effect.cast_out()[0].filled, 0b0100);
  EXPECT_TRUE(cache.read(9, 0b0001).cast_out().empty()) << "what was read alone goes nowhere";
}

TEST(SectorCache, OfASetOnlySomeLinesStayDirty) {
  SectorCache cache(4 * SectorCache::kLineBytes, 4, {2}, Spread::even);  // one set
  EXPECT_EQ(sectors_cast_out(cache.write(0, 0b0001, 0xff)), 0u);
  EXPECT_EQ(sectors_cast_out(cache.write(1, 0b0011, 0xf0ff)), 0u);
  EXPECT_EQ(sectors_cast_out(cache.write(0, 0b1000, 0xff000000)), 0u) << "was dirty already";
  const SectorCache::Effect effect = cache.write(2, 0b0001, 0xff);  // 1 is the oldest now
  EXPECT_EQ(sectors_cast_out(effect), 2u);
  EXPECT_EQ(sectors_filled(effect), 1u);
  EXPECT_EQ(cache.dirty_sectors(), 3u);
  EXPECT_EQ(cache.present(1), 0b0011) << "it stays, to be read";
}

TEST(SectorCache, PartsOfASectorAreFilledWhenTheyGoUnlessTheRestWasWrittenToo) {
  SectorCache cache(SectorCache::kLineBytes, 1);
  cache.write(1, 0b0011, 0x000000f0);  // half of sector 0, less than a word of sector 1
  SectorCache::Effect gone = cache.read(2, 0b0001);
  EXPECT_EQ(sectors_cast_out(gone), 2u);
  EXPECT_EQ(sectors_filled(gone), 2u);
  cache.write(3, 0b0001, 0x000000f0);
  cache.write(3, 0b0001, 0x0000000f);
  EXPECT_EQ(cache.present(3), 0b0001);
  gone = cache.read(4, 0b0001);
  EXPECT_EQ(sectors_cast_out(gone), 1u);
  EXPECT_EQ(sectors_filled(gone), 0u);
}

TEST(SectorCache, APartIsToldOfOnceAndCanBeFilled) {
  SectorCache cache(SectorCache::kLineBytes, 1);
  EXPECT_EQ(cache.write(1, 0b0011, 0x000000ff).parted, 0b0010);
  EXPECT_EQ(cache.write(1, 0b0010, 0x00000100).parted, 0);
  EXPECT_FALSE(cache.fill(1, 0));
  EXPECT_FALSE(cache.fill(2, 1));
  EXPECT_TRUE(cache.fill(1, 1));
  EXPECT_FALSE(cache.fill(1, 1));
  EXPECT_EQ(sectors_filled(cache.read(2, 0b0001)), 0u);
}

TEST(SectorCache, APartThatIsReadIsFetched) {
  SectorCache cache(SectorCache::kLineBytes, 1);
  cache.write(1, 0b0001, 0x0000000f);
  EXPECT_EQ(cache.read(1, 0b0001).missed, 0b0001);
  EXPECT_EQ(sectors_filled(cache.read(2, 0b0001)), 0u);
}

TEST(SectorCache, ClearingForgetsEverything) {
  SectorCache cache(4096, 4);
  cache.write(5, 0b1111, ~0u);
  cache.clear();
  EXPECT_EQ(cache.present(5), 0);
  SectorCache::Effect effect = cache.read(5, 0b1111);
  EXPECT_EQ(effect.missed, 0b1111);
  EXPECT_EQ(sectors_cast_out(effect), 0u);
}

TEST(SectorCache, ClearingTooOftenForItsStampsStillForgets) {
  SectorCache cache(SectorCache::kLineBytes, 1);
  for (int i = 0; i < 70'000; ++i) {
    ASSERT_EQ(cache.read(1, 0b0001).missed, 0b0001) << i;
    cache.clear();
  }
}

}  // namespace
}  // namespace fusebox::sim
