#include "grader/judge/budgets/budgets.h"

#include <gtest/gtest.h>

#include "grader/judge/budgets/metrics.h"

namespace fusebox {
namespace {

TEST(Budgets, LimitIsInclusive) {
  const std::vector<Budget> budgets{{"launches", 2}, {"launches", 1}, {"registers", 64}, {"unheard_of", 9}};
  const auto mine = metrics_of(std::vector<LaunchRecord>(2), 0);
  const auto theirs = metrics_of(std::vector<LaunchRecord>(1), 0);
  const auto lines = check_budgets(budgets, mine, theirs);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[0].within);
  EXPECT_EQ(lines[0].reference, 1.0);
  EXPECT_FALSE(lines[1].within);
  EXPECT_FALSE(lines[2].within) << "registers were not reported";
  EXPECT_FALSE(lines[3].within);
}

TEST(Budgets, WithoutAStudentTheReferenceIsStillShown) {
  const std::vector<Budget> budgets{{"launches", 2}};
  const auto lines = check_budgets(budgets, {}, metrics_of(std::vector<LaunchRecord>(1), 0));
  EXPECT_FALSE(lines[0].within);
  EXPECT_FALSE(lines[0].student.value);
  EXPECT_EQ(lines[0].student.name, "launches");
  EXPECT_EQ(lines[0].reference, 1.0);
}

}  // namespace
}  // namespace fusebox
