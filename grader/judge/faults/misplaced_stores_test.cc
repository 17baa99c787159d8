#include "grader/judge/faults/misplaced_stores.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

TEST(MisplacedStores, AreToldByTheElementsThatNobodyWrites) {
  Fault race;
  race.kind = "race-global";
  race.buffer = "out";
  race.between_stores = true;
  Comparison compared;
  compared.elements = 4096;
  compared.unwritten = 765;
  EXPECT_EQ(
      misplaced_stores(race, "out", compared),
      "The index gives several threads one element here, and nobody writes 765 of the 4096 elements of `out`: look at the index of this store before anything else.");

  Fault with_a_load = race, elsewhere = race, same_value = race;
  same_value.kind = "race-same-value";
  EXPECT_EQ(misplaced_stores(same_value, "out", compared), "");
  with_a_load.between_stores = false;
  elsewhere.buffer = "partial";
  EXPECT_EQ(misplaced_stores(with_a_load, "out", compared), "");
  EXPECT_EQ(misplaced_stores(elsewhere, "out", compared), "");
  compared.unwritten = 0;
  EXPECT_EQ(misplaced_stores(race, "out", compared), "") << "several lanes write the sum of a row";
}

TEST(MisplacedUpdates, AreToldByTheElementsThatNobodyChanges) {
  Fault race;
  race.kind = "race-global";
  race.buffer = "m";
  race.line = race.other_line = 48;
  EXPECT_EQ(
      misplaced_updates(race, "m", 700, 2000),
      "The index gives several threads one element here, and nobody changes 700 of the 2000 elements of `m` that are to change: look at the index of this update before anything else.");
  EXPECT_EQ(misplaced_updates(race, "m", 0, 2000), "") << "all of them add to it";
  EXPECT_EQ(misplaced_updates(race, "v", 700, 2000), "");
  Fault of_two_lines = race, unknown = race, same_value = race;
  of_two_lines.other_line = 50;
  unknown.line = unknown.other_line = 0;
  same_value.kind = "race-same-value";
  for (const Fault& other : {of_two_lines, unknown, same_value})
    EXPECT_EQ(misplaced_updates(other, "m", 700, 2000), "");
}

TEST(MisplacedStores, AreNotToldWhereALaunchWasStopped) {
  fusebox::Run run;
  run.launches.resize(1);
  EXPECT_TRUE(ended_but_for_races(run));
  run.launches[0].faults.resize(1);
  run.launches[0].faults[0].kind = "race-global";
  EXPECT_TRUE(ended_but_for_races(run));
  run.launches[0].faults.resize(2);
  run.launches[0].faults[1].kind = "out-of-bounds";
  EXPECT_FALSE(ended_but_for_races(run));
}

TEST(RepeatedWork, IsToldWhereEveryElementOfAllOutputsIsStoredAgain) {
  Fault out, mean;
  out.kind = mean.kind = "race-same-value";
  out.between_stores = mean.between_stores = true;
  out.between = mean.between = "warps";
  out.buffer = "out", mean.buffer = "mean";
  out.count = 300, mean.count = 12;
  const std::vector<OutputSize> outputs = {{"out", 100}, {"mean", 4}};
  const auto says = [](const std::vector<const Fault*>& faults, const std::vector<OutputSize>& of) {
    std::vector<FaultSeen> seen;
    for (const Fault* fault : faults) seen.push_back({{}, 0, fault});
    return repeated_work(seen, of);
  };
  EXPECT_EQ(
      says({&out, &mean}, outputs),
      "Several warps store each element of `out` and `mean`, all with the same values: they do the same work, where each should have its own part of it.");
  EXPECT_EQ(says({&mean}, outputs), "") << "all threads of a block store the mean";
  Fault half = out, of_lanes = out, other = out;
  half.count = 50;
  EXPECT_EQ(says({&half, &mean}, outputs), "");
  EXPECT_NE(says({&half, &half, &mean}, outputs), "") << "at two lines";
  of_lanes.between = "lanes";
  EXPECT_EQ(says({&of_lanes, &mean}, outputs), "");
  other.kind = "race-global";
  EXPECT_EQ(says({&other, &mean}, outputs), "");
  EXPECT_EQ(says({&out}, {}), "");
}

}  // namespace
}  // namespace fusebox
