#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "grader/judge/patterns/patterns_testing.h"

namespace fusebox::patterns {
namespace {

using namespace made_up;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Ratio, TableOfConstants) {
  const struct {
    std::int64_t rows, columns;
    double factor;
    const char* says;
  } rows[] = {
      {6, 10, 2, "`out` is 2 times what it should be everywhere."},
      {6, 10, 0.5, "`out` is 1/2 times what it should be everywhere."},
      {6, 10, -1, "`out` is -1 times what it should be everywhere."},
      {6, 100, 100, "`out` is 100 = N times what it should be everywhere."},
      {6, 100, 0.01, "`out` is 1/100 = 1/N times what it should be everywhere."},
      {6, 100, 0.99, "`out` is 0.99 = (N - 1)/N times what it should be everywhere."},
      {6, 50, std::sqrt(49.0 / 50), "`out` is 0.9899 = sqrt((N - 1)/N) times what it should be everywhere."},
      {40, 5, std::sqrt(40.0), "`out` is 6.325 = sqrt(M) times what it should be everywhere."},
      {10, 10, 10, "`out` is 10 = M or N times what it should be everywhere."},
      {6, 10, std::log(2.0), "`out` is 0.6931 = ln 2 times what it should be everywhere."},
      {6, 10, 1.702, "`out` is 1.702 times what it should be everywhere."},
  };
  for (const auto& row : rows) {
    WrongOutput output = right_matrix(row.rows, row.columns);
    set_all(output, [&](auto, auto, double e) { return row.factor * e; });
    EXPECT_EQ(first_sentence(output), row.says);
  }
}

TEST(Ratio, ANumberOfTheLaunchIsNamed) {
  WrongOutput output = right_matrix(6, 10);
  output.launches = {{"kernel", {3, 1, 1}, {96, 1, 1}, {}}};
  set_all(output, [](auto, auto, double e) { return 96 * e; });
  EXPECT_EQ(first_sentence(output),
            "`out` is 96 = the number of threads in a block times what it should be everywhere.");
}

TEST(Ratio, OfEachRowAndOfEachColumn) {
  WrongOutput output = right_matrix(4, 10);
  set_all(output, [](auto r, auto, double e) { return (1.5 + 0.25 * r) * e; });
  EXPECT_EQ(
      first_sentence(output),
      "`out` is a multiple of what it should be, another one for each row, 1.5 to 2.25 times, everywhere.");
  set_all(output, [](auto, auto c, double e) { return (1.5 + 0.25 * c) * e; });
  EXPECT_THAT(first_sentence(output), HasSubstr("another one for each column, 1.5 to 3.75 times"));
}

TEST(Ratio, AfterSomethingWasAdded) {
  WrongOutput output = right_matrix(5, 9);
  const auto& bias = output.others[0].values;
  set_all(output, [&](auto, auto c, double e) { return bias[c] + 3 * (e - bias[c]); });
  EXPECT_EQ(first_sentence(output), "`out` - `bias`[column] is 3 times what it should be everywhere.");
  set_all(output, [&](auto r, auto c, double e) { return bias[c] + (3 + r) * (e - bias[c]); });
  EXPECT_THAT(
      first_sentence(output),
      HasSubstr("`out` - `bias`[column] is a multiple of what it should be, another one for each row"));
}

TEST(Ratio, OfTheChange) {
  WrongOutput output = right_vector(40);
  output.before = Random(9).normals(40);
  for (std::size_t i = 0; i < 40; ++i) {
    const double before = (*output.before)[i];
    output.got[i] = static_cast<float>(before + 10 * (output.tensor.expected[i] - before));
  }
  EXPECT_EQ(first_sentence(output), "the change of `out` is 10 times what it should be everywhere.");
}

TEST(Ratio, AFactorThatIsMissingOrTooMany) {
  WrongOutput output = right_matrix(5, 9);
  const auto& bias = output.others[0].values;
  set_all(output, [&](auto, auto c, double e) { return e / bias[c]; });
  EXPECT_EQ(first_sentence(output),
            "`out` is what it should be divided by `bias`[column] everywhere, as when the factor `bias` is "
            "left out.");
  set_all(output, [&](auto, auto c, double e) { return e * bias[c]; });
  EXPECT_THAT(first_sentence(output), HasSubstr("what it should be times `bias`[column]"));
}

TEST(Ratio, NothingIsNoChangeTimesAFactorThatIsZero) {
  WrongOutput output = right_matrix(5, 9);
  output.before = Random(9).normals(45);
  output.others[0].values.assign(output.others[0].values.size(), 0.0);
  set_all(output, [&](auto r, auto c, double) {
    return static_cast<double>(
        (*output.before)[static_cast<std::size_t>(r) * 9 + static_cast<std::size_t>(c)]);
  });
  EXPECT_THAT(first_sentence(output), HasSubstr("`out` is what it was before the call"));
  EXPECT_THAT(first_sentence(output), Not(HasSubstr("times")));
  for (const Pattern& pattern : fitting_patterns(output))
    EXPECT_THAT(pattern.sentence, Not(HasSubstr("there once more")));
}

TEST(Ratio, SomeElementsOnly) {
  WrongOutput output = right_matrix(10, 10);
  set_all(output, [](auto r, auto, double e) { return r < 6 ? 2 * e : e; });
  EXPECT_THAT(all_sentences(output), HasSubstr("2 times what it should be in all 60 wrong elements."));
  set_all(output, [](auto r, auto c, double e) { return r < 6 ? 2 * e : r == 6 ? e + 1 + 0.3 * c : e; });
  EXPECT_THAT(all_sentences(output), HasSubstr("2 times what it should be in 60 of 70 wrong elements."));
}

TEST(Ratio, WhatIsNearOrTooLittleIsNotClaimed) {
  Random random(5);
  WrongOutput output = right_matrix(10, 10);
  set_all(output, [&](auto, auto, double e) { return random.uniform(1.99, 2.01) * e; });
  EXPECT_EQ(all_sentences(output), "");
  // Near a number that has a name, and not that number.
  set_all(output, [](auto, auto, double e) { return 2.001 * e; });
  EXPECT_EQ(first_sentence(output), "`out` is 2.001 times what it should be everywhere.");
  WrongOutput hundred = right_matrix(6, 100);
  set_all(hundred, [](auto, auto, double e) { return 99.95 * e; });
  EXPECT_EQ(first_sentence(hundred), "`out` is 99.95 times what it should be everywhere.");
  // Seven elements prove nothing, and neither do a hundred NaN.
  WrongOutput few = right_vector(7);
  set_all(few, [](auto, auto, double e) { return 2 * e; });
  EXPECT_EQ(all_sentences(few), "");
  WrongOutput nan = right_matrix(10, 10);
  set_all(nan, [](auto r, auto, double e) { return r == 0 ? 2 * e : std::nan(""); });
  for (int i = 3; i < 10; ++i) nan.got[static_cast<std::size_t>(i)] = std::nan("");
  EXPECT_THAT(all_sentences(nan), Not(HasSubstr("times")));
}

TEST(Ratio, ElementsThatNobodyWroteAreNoEvidence) {
  WrongOutput output = right_matrix(2, 10);
  set_all(output, [](auto, auto, double e) { return 2 * e; });
  leave_out(output, [](auto r, auto c) { return r == 1 || c >= 7; });
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("times")));
}

TEST(Ratio, WhereATolerancesWidthAllowsAllNothingIsClaimed) {
  WrongOutput output = right_matrix(10, 10);
  output.tensor.tolerance = {3, 0, "test"};
  Random random(5);
  set_all(output, [&](auto, auto, double e) { return e + (random.uniform(-1, 1) > 0 ? 3.5 : -3.5); });
  EXPECT_EQ(all_sentences(output), "");
}

}  // namespace
}  // namespace fusebox::patterns
