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

}  // namespace
}  // namespace fusebox
