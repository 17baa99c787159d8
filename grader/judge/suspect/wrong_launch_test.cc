#include "grader/judge/suspect/played_testing.h"
#include "grader/judge/suspect/suspect.h"

namespace fusebox {
namespace {

using WrongLaunchTest = played::Played;

TEST_F(WrongLaunchTest, TheFirstWhoseResultIsWrong) {
  struct Row {
    const char *first, *second;
    std::size_t index;
    const char *kernel, *tensor;
  };
  const Row rows[] = {{"triple", "plus one", 0, "first_kernel", "middle"},
                      {"double", "plus two", 1, "second_kernel", "out"},
                      {"triple", "plus two", 0, "first_kernel", "middle"}};
  for (const Row& row : rows) {
    const auto found = first_wrong_launch(suspect(row.first, row.second));
    ASSERT_TRUE(found) << row.first << row.second;
    EXPECT_EQ(found->index, row.index);
    EXPECT_EQ(found->count, 2u);
    EXPECT_EQ(found->kernel, row.kernel);
    EXPECT_EQ(found->tensor.name, row.tensor);
    EXPECT_EQ(found->wrong, 40) << "elements of case large";
  }
}

TEST_F(WrongLaunchTest, NothingIsWrongNothingIsSaid) {
  EXPECT_FALSE(first_wrong_launch(suspect("double", "plus one")));
}

TEST_F(WrongLaunchTest, PlansThatDoNotCorrespondAreNotCompared) {
  const Suspect& s = suspect("triple", "plus one");
  Suspect other = s;
  auto record = services.record;
  int calls = 0;
  other.services.record = [&](const RecordRequest& request) {
    auto recorded = record(request);
    // The learner's file is recorded first: it launches once more.
    if (calls++ == 0) std::get<Recording>(*recorded).plan.ops.emplace_back(LaunchOp{});
    return recorded;
  };
  EXPECT_FALSE(first_wrong_launch(other));
}

TEST_F(WrongLaunchTest, WhatALaterLaunchReadsUnwrittenIsFoundBeforeIt) {
  const Suspect& s = suspect("half written", "plus one");
  const auto found = first_wrong_launch(s, s.cases[1]);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kernel, "first_kernel");
  EXPECT_EQ(found->wrong, 20);
  EXPECT_TRUE(found->written[19]);
  EXPECT_FALSE(found->written[20]);
}

TEST_F(WrongLaunchTest, OfOtherLaunchesItIsBehindTheLastOneThatLeavesWhatTheReferenceDoes) {
  EXPECT_EQ(first_kernel_behind_right_ones(suspect("double", "plus two")), "second_kernel");
  EXPECT_EQ(first_kernel_behind_right_ones(suspect("triple", "plus two")), "") << "none is known to be right";
  EXPECT_EQ(first_kernel_behind_right_ones(suspect("double", "plus one")), "") << "nothing is wrong";
}

}  // namespace
}  // namespace fusebox
