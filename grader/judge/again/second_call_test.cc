#include "grader/judge/again/second_call.h"

#include <gtest/gtest.h>

namespace fusebox {
namespace {

TEST(CasesInARow, TheSmallestAndBehindItALargerOneThatDiffersInMost) {
  const Case cases[] = {{"counted", "", {{"M", 500}, {"N", 500}}, "normal", true},
                        {"too_large", "", {{"M", 900}, {"N", 900}}},
                        {"large", "", {{"M", 90}, {"N", 90}}},
                        {"small", "", {{"M", 1}, {"N", 3}}},
                        {"same_rows", "", {{"M", 1}, {"N", 4}}},
                        {"both", "", {{"M", 2}, {"N", 5}}}};
  std::vector<const Case*> all;
  for (const Case& each : cases) all.push_back(&each);
  const auto [first, second] = cases_in_a_row(all);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->name, "small");
  EXPECT_EQ(second->name, "large");
  EXPECT_EQ(cases_in_a_row(std::span(all).first(2)).second, nullptr) << "the counted one is none";
}

/// A case's tensors, [M, N] and [N], and a number.
Problem problem_of(std::int64_t rows, std::int64_t columns, std::int32_t step) {
  Tensor x, bias;
  x.shape = {rows, columns}, bias.shape = {columns};
  return {{x, bias, step}};
}

TEST(CaseBetween, HasOneSizeOfTheSecondAndAllOthersOfTheFirst) {
  const Case first{"small", "", {{"M", 1}, {"N", 3}, {"step", 1}}};
  const Case between = case_between(first, {"large", "", {{"M", 90}, {"N", 80}, {"step", 7}}}, "step");
  EXPECT_EQ(between.sizes, (Sizes{{"M", 1}, {"N", 3}, {"step", 7}}));
  EXPECT_NE(between.name, first.name) << "its values are others";
}

TEST(SizesBetween, AreAllInWhichTheTwoCasesDifferTheLikeliestFirst) {
  using Names = std::vector<std::string>;
  const Problem last = problem_of(90, 80, 7);
  const Case second{"large", "", {{"M", 90}, {"N", 80}, {"step", 7}}};
  EXPECT_EQ(sizes_between({"small", "", {{"M", 1}, {"N", 3}, {"step", 1}}}, second, last),
            (Names{"step", "M", "N"}))
      << "no tensor has a step";
  EXPECT_EQ(sizes_between({"small", "", {{"M", 1}, {"N", 3}, {"step", 7}}}, second, last), (Names{"N", "M"}))
      << "how long rows are";
  EXPECT_EQ(sizes_between({"small", "", {{"M", 1}, {"N", 80}, {"step", 7}}}, second, last), Names{})
      << "with that one size it would be the second";
}

}  // namespace
}  // namespace fusebox
