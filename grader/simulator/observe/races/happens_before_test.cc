#include "grader/simulator/observe/races/happens_before.h"

#include <gtest/gtest.h>

namespace fusebox::sim {
namespace {

std::unique_ptr<Release> release_of(std::uint32_t thread, Epoch known, bool loads_only = false) {
  auto release = std::make_unique<Release>();
  release->thread = thread;
  release->wide = true;
  release->loads_only = loads_only;
  release->clocks[0] = std::make_shared<VectorClock>(32, known);
  return release;
}

TEST(Publications, WhatWasAcquiredStaysKnownWhileOthersPublishThere) {
  Publications publications;
  ReleaseLog& log = *publications.new_log();
  log.push_back(release_of(0, 10));
  const Acquired* known = publications.acquire(log, 1, nullptr);
  EXPECT_TRUE(publications.reaches(known, 0, 5, 9, false));
  for (std::uint32_t thread = 1; thread < 100; ++thread) log.push_back(release_of(thread, 20));
  EXPECT_TRUE(publications.reaches(known, 0, 5, 9, false));
  EXPECT_FALSE(publications.reaches(known, 0, 5, 15, false)) << "published after it was acquired";
}

TEST(Publications, WhatIsHandedOnWithoutAFenceCountsForLoadsAlone) {
  Publications publications;
  ReleaseLog& first = *publications.new_log();
  first.push_back(release_of(0, 10));
  ReleaseLog& second = *publications.new_log();
  auto release = release_of(1, 20, true);
  release->block = 1;
  release->others = publications.acquire(first, 1, nullptr);
  second.push_back(std::move(release));
  const Acquired* known = publications.acquire(second, 1, nullptr);
  for (std::uint64_t block : {0, 1}) {
    EXPECT_TRUE(publications.reaches(known, block, 5, 9, true)) << block;
    EXPECT_FALSE(publications.reaches(known, block, 5, 9, false)) << block;
  }
  // Learnt the proper way as well, block 0's stores are known too.
  const Acquired* both = publications.join(known, publications.acquire(first, 1, nullptr));
  EXPECT_TRUE(publications.reaches(both, 0, 5, 9, false));
  EXPECT_FALSE(publications.reaches(both, 1, 5, 9, false));
}

TEST(Publications, KnowWhatAReleaseCoversAndNoMore) {
  const auto release_at = [](std::uint64_t block, Epoch base, Epoch time, Epoch latest) {
    auto release = std::make_unique<Release>();
    release->block = block;
    release->thread = 5;
    release->wide = true;
    release->base = base;
    release->time = time;
    release->latest = latest;
    return release;
  };
  for (const bool loads_only : {false, true}) {
    Publications publications;
    ReleaseLog &first = *publications.new_log(), &second = *publications.new_log();
    first.push_back(release_at(1, 7, 8, 9));
    auto later = release_at(3, 10, 20, 25);
    later->loads_only = loads_only;
    later->others = publications.acquire(first, 1, nullptr);
    second.push_back(std::move(later));
    // An earlier one of the same block, which covers less.
    second.push_back(release_at(3, 4, 5, 6));
    const Acquired* known = publications.acquire(second, 2, nullptr);
    const struct {
      std::uint64_t block;
      std::uint32_t thread;
      Epoch epoch;
      bool load, store;
    } kRows[] = {
        {1, 40, 6, true, !loads_only}, {1, 5, 7, true, !loads_only},  {1, 40, 7, false, false},
        {1, 5, 9, false, false},       {3, 40, 9, true, !loads_only}, {3, 5, 19, true, !loads_only},
        {3, 40, 15, false, false},     {3, 5, 20, false, false},      {3, 5, 25, false, false},
        {3, 40, 3, true, true},        {2, 5, 1, false, false},       {9, 5, 1, false, false},
    };
    for (const auto& row : kRows) {
      const auto name = [&] { return std::to_string(row.block) + " " + std::to_string(row.epoch); };
      EXPECT_EQ(publications.reaches(known, row.block, row.thread, row.epoch, true), row.load) << name();
      EXPECT_EQ(publications.reaches(known, row.block, row.thread, row.epoch, false), row.store) << name();
    }
  }
}

// Blocks that meet at a barrier of the whole grid ask for what came before the last one. Were all that came
// before looked through each time, there would be no end to it.
TEST(Publications, MeetingOftenIsNotTooMuch) {
  constexpr std::uint32_t kBlocks = 64, kRounds = 200;
  Publications publications;
  ReleaseLog& log = *publications.new_log();
  std::vector<const Acquired*> known(kBlocks);
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
      Release release;
      release.block = block;
      release.wide = true;
      release.base = 10 * round;
      release.time = release.latest = 10 * round + 5;
      release.others = known[block];
      log.push_back(std::make_unique<const Release>(release));
    }
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
      known[block] = publications.acquire(log, log.size(), known[block]);
      const std::uint64_t other = (block + 1) % kBlocks;
      ASSERT_TRUE(publications.reaches(known[block], other, 7, 10 * round - 1, false));
      ASSERT_FALSE(publications.reaches(known[block], other, 7, 10 * round + 6, false));
    }
  }
  EXPECT_FALSE(publications.exhausted());
}

// Threads that signal each other without end: the account of it has a limit, in memory and in time.
TEST(Publications, AskingAndKeepingWithoutEndIsTooMuch) {
  Publications asking, keeping;
  ReleaseLog& log = *asking.new_log();
  for (std::uint32_t thread = 0; thread < 32; ++thread)
    for (int k = 0; k < 1000; ++k) log.push_back(release_of(thread, 10));
  std::size_t turns = 0;
  for (; !asking.exhausted() && turns < 100'000; ++turns)
    asking.reaches(asking.acquire(log, log.size(), nullptr), 0, 5, 20, false);
  EXPECT_LT(turns, 100'000u);
  const Acquired* known = nullptr;
  std::size_t kept = 0;
  for (ReleaseLog none; !keeping.exhausted() && kept < 100'000'000; ++kept)
    known = keeping.acquire(none, 0, known);
  EXPECT_LT(kept * sizeof(Acquired), 600'000'000u);
  asking.clear();
  EXPECT_FALSE(asking.exhausted());
}

}  // namespace
}  // namespace fusebox::sim
