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

}  // namespace
}  // namespace fusebox
