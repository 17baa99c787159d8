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
