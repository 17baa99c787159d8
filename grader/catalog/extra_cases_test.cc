#include "grader/catalog/extra_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fusebox {
namespace {

using testing::HasSubstr;

Puzzle two_sizes() {
  Puzzle puzzle;
  puzzle.id = "p00";
  puzzle.cases = {{"one", "", {{"M", 4}, {"N", 8}}}, {"drawn", "", {{"M", 1}, {"N", 1}}}};
  puzzle.cases[1].drawn = {{"N", {1, 100}}};
  return puzzle;
}

TEST(ExtraCases, AreReadBySizes) {
  const auto cases = extra_cases(two_sizes(), "M=3 N=100;  N=1 M=4 ");
  ASSERT_TRUE(cases.ok());
  ASSERT_EQ(cases->size(), 2u);
  EXPECT_EQ(cases->at(0).name, "extra_1");
  EXPECT_EQ(cases->at(0).sizes, (Sizes{{"M", 3}, {"N", 100}}));
  EXPECT_EQ(cases->at(1).sizes, (Sizes{{"M", 4}, {"N", 1}}));
  EXPECT_FALSE(cases->at(0).counted);
  EXPECT_TRUE(extra_cases(two_sizes(), "")->empty());
}

TEST(ExtraCases, AreRefusedWithWhatIsWrong) {
  std::string many;
  for (int i = 0; i < 21; ++i) many += "M=1 N=1;";
  const struct {
    std::string text;
    const char* says;
  } cases[] = {
      {"M=3", "N is missing"},
      {"M=3 N", "`N` is no size"},
      {"M=3 K=4", "`K` is no size of this puzzle"},
      {"M=3 N=0", "N is a whole number from 1 to 100"},
      {"M=3 N=101", "N is a whole number from 1 to 100"},
      {"M=5 N=1", "M is a whole number from 1 to 4"},
      {"M=3 N=1e2", "N is a whole number"},
      {"M=3 N=-1", "N is a whole number"},
      {"M=3 N=99999999999999999999", "N is a whole number"},
      {"M=3 M=2 N=1", "M is there twice"},
      {"M=1 N=1;;M=1 N=1", "it has no sizes"},
      {"$(touch x)", "is no size"},
      {many, "more than 20"},
  };
  for (const auto& each : cases) {
    const auto found = extra_cases(two_sizes(), each.text);
    ASSERT_FALSE(found.ok()) << each.text;
    EXPECT_THAT(found.error().what, HasSubstr(each.says));
    EXPECT_THAT(found.error().what, HasSubstr("p00"));
    EXPECT_EQ(found.error().kind, ErrorKind::wrong_usage);
    EXPECT_EQ(found.error().remedy, "as in: M=4 N=100");
  }
}

}  // namespace
}  // namespace fusebox
