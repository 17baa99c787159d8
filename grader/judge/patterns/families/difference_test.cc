#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/judge/patterns/patterns_testing.h"

namespace fusebox::patterns {
namespace {

using namespace made_up;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Difference, TableOfTensors) {
  const struct {
    std::size_t tensor;
    double times;
    const char* says;
  } rows[] = {
      {0, -1, "`out` is what it should be minus `bias`[column] everywhere, as when `bias` is not added."},
      {0, 1, "`out` is what it should be plus `bias`[column] everywhere, as when `bias` is added once more."},
      {0, -2,
       "`out` is what it should be minus 2 times `bias`[column] everywhere, as when `bias` is subtracted "
       "and not added."},
      {1, -1, "`out` is what it should be minus `mean`[row] everywhere, as when `mean` is not added."},
      {2, 1, "`out` is what it should be plus `x` everywhere, as when `x` is added once more."},
      {0, 31,
       "`out` is what it should be plus 31 times `bias`[column] everywhere, as when `bias` is added 32 times."},
      {2, 0.37, "`out` is what it should be plus 0.37 times `x` everywhere."},
  };
  for (const auto& row : rows) {
    WrongOutput output = right_matrix(5, 9);
    const auto& t = output.others[row.tensor].values;
    set_all(output, [&](auto r, auto c, double e) {
      return e + row.times * t[row.tensor == 0 ? c : row.tensor == 1 ? r : r * 9 + c];
    });
    EXPECT_EQ(first_sentence(output), row.says);
  }
}

TEST(Difference, AConstant) {
  WrongOutput output = right_matrix(5, 9);
  set_all(output, [](auto, auto, double e) { return e + 0.75; });
  EXPECT_EQ(first_sentence(output), "`out` is what it should be + 0.75 everywhere.");
  output.numbers.push_back({"shift", 0.75});
  EXPECT_EQ(first_sentence(output), "`out` is what it should be + 0.75 = shift everywhere.");
  set_all(output, [](auto, auto, double e) { return e - 2; });
  EXPECT_EQ(first_sentence(output), "`out` is what it should be - 2 everywhere.");
}

TEST(Difference, AnotherConstantBesideMakesNoNameFitThisOne) {
  WrongOutput output = right_matrix(20, 30);
  output.numbers.push_back({"near", 5.6});
  set_all(output, [](auto r, auto c, double e) { return e + ((30 * r + c) % 8 < 3 ? 3.0 : 6.0); });
  EXPECT_THAT(all_sentences(output), HasSubstr("`out` is what it should be + 6 in "));
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("near")));
}

TEST(Difference, OfEachRowAndOfEachColumn) {
  WrongOutput output = right_matrix(5, 9);
  set_all(output, [](auto r, auto, double e) { return e + 0.5 + r * r; });
  EXPECT_THAT(first_sentence(output), HasSubstr("plus a constant, another one for each row, 0.5 to 16.5"));
  set_all(output, [](auto, auto c, double e) { return e + 0.5 + c * c; });
  EXPECT_THAT(first_sentence(output), HasSubstr("plus a constant, another one for each column, 0.5 to 64.5"));
}

TEST(Difference, AddedToWhatStoodThere) {
  WrongOutput output = right_matrix(5, 9);
  output.before = Random(3).normals(45);
  for (std::size_t i = 0; i < 45; ++i) output.got[i] += (*output.before)[i];
  EXPECT_THAT(first_sentence(output),
              HasSubstr("`out` is what it should be plus what stood there before everywhere"));
}

TEST(Difference, WhatIsNearIsNotClaimed) {
  WrongOutput output = right_matrix(5, 9);
  Random random(4);
  const auto& bias = output.others[0].values;
  set_all(output, [&](auto, auto c, double e) { return e - bias[c] * random.uniform(0.98, 1.02); });
  EXPECT_EQ(all_sentences(output), "");
  set_all(output, [&](auto, auto, double e) { return e + random.uniform(0.7, 0.8); });
  EXPECT_EQ(all_sentences(output), "");
}

TEST(Difference, AConstantForEachRowIsNotFoundInFewValues) {
  WrongOutput output = right_matrix(60, 3);
  Random random(4);
  set_all(output, [&](auto, auto, double e) { return e + 0.5 * static_cast<double>(1 + random.below(3)); });
  EXPECT_EQ(all_sentences(output), "");
}

TEST(Difference, TwoTensorsThatCannotBeToldApartAreBothSaid) {
  WrongOutput output = right_matrix(5, 9);
  output.others.push_back({"beta", {9}, output.others[0].values});
  const auto& bias = output.others[0].values;
  set_all(output, [&](auto, auto c, double e) { return e - bias[c]; });
  const auto said = sentences(find_patterns(output));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("`bias` is not added"));
  EXPECT_THAT(said[0], HasSubstr("Or: "));
  EXPECT_THAT(said[0], HasSubstr("`beta` is not added"));
}

}  // namespace
}  // namespace fusebox::patterns
