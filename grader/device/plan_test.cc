#include "grader/device/plan.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

TEST(LaunchPlan, WhatIsInsertedMovesWhatOthersWaitFor) {
  LaunchPlan plan;
  plan.ops = {MemsetOp{1}, MemsetOp{2}, MemsetOp{3}};
  plan.order = {{1, {}}, {2, {0}}, {1, {0, 1}}};
  plan.done_for_the_caller = {1, 2};
  plan.of_calls_before = 2;
  LaunchPlan first = plan;
  first.insert(0, MemsetOp{9});
  EXPECT_EQ(std::get<MemsetOp>(first.ops[0]).address, 9u);
  EXPECT_EQ(first.order, (std::vector<OpOrder>{{OpOrder::kHost, {}}, {1, {}}, {2, {1}}, {1, {1, 2}}}));
  EXPECT_EQ(first.done_for_the_caller, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(first.of_calls_before, 3u);
  LaunchPlan between = plan;
  between.insert(2, MemsetOp{9});
  EXPECT_EQ(std::get<MemsetOp>(between.ops[2]).address, 9u);
  EXPECT_EQ(between.order, (std::vector<OpOrder>{{1, {}}, {2, {0}}, {OpOrder::kHost, {}}, {1, {0, 1}}}));
  EXPECT_EQ(between.done_for_the_caller, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(between.of_calls_before, 2u) << "of the last call, or of nobody";
  plan.order.clear(), plan.done_for_the_caller.clear();
  plan.insert(1, MemsetOp{9});
  EXPECT_TRUE(plan.order.empty() && plan.done_for_the_caller.empty());
}

TEST(LaunchPlan, LaunchesInTheirOrder) {
  LaunchOp one, two;
  one.kernel = "one", two.kernel = "two";
  const std::vector<PlanOp> ops = {AllocOp{}, one, MemsetOp{}, two};
  const auto launches = launches_of(ops);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[1]->kernel, "two");
}

}  // namespace
}  // namespace fusebox
