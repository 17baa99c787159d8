#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "grader/judge/patterns/patterns_testing.h"

namespace fusebox::patterns {
namespace {

using namespace made_up;
using ::testing::HasSubstr;
using ::testing::Not;

const double kNan = std::nan("");
const double kInfinity = std::numeric_limits<double>::infinity();

TEST(NotFinite, TableOfPlaces) {
  WrongOutput output = right_matrix(8, 20);
  set_all(output, [](auto, auto, double) { return kNan; });
  EXPECT_EQ(first_sentence(output), "Every element of `out` is NaN.");
  set_all(output, [](auto r, auto, double e) { return r == 2 ? kNan : e; });
  EXPECT_THAT(all_sentences(output), HasSubstr("Row 2 of `out` is NaN, nothing else."));
  set_all(output, [](auto, auto c, double e) { return c >= 16 ? kInfinity : e; });
  EXPECT_THAT(all_sentences(output), HasSubstr("Columns 16 and on of `out` are infinite, nothing else."));
}

TEST(NotFinite, TableOfCauses) {
  const struct {
    bool (*is)(double x);
    const char* says;
  } rows[] = {
      {[](double x) { return x < 0; }, "`out` is NaN where `x` is negative, and only there."},
      {[](double x) { return x == 0; }, "`out` is NaN where `x` is 0, and only there."},
      {[](double x) { return x > 1; }, "`out` is NaN where `x` is above 0.9"},
      {[](double x) { return std::abs(x) > 1; }, "`out` is NaN where `x` is in magnitude above 0.9"},
  };
  for (const auto& row : rows) {
    WrongOutput output = right_matrix(20, 20);
    auto& x = output.others[2].values;
    for (std::size_t i = 0; i < x.size(); i += 7) x[i] = 0;
    set_all(output, [&](auto r, auto c, double e) { return row.is(x[r * 20 + c]) ? kNan : e; });
    EXPECT_THAT(all_sentences(output), HasSubstr(row.says));
  }
}

TEST(NotFinite, RowsThatShareSomething) {
  WrongOutput output = right_matrix(60, 8);
  auto& x = output.others[2].values;
  for (std::size_t r = 0; r < 60; r += 3)
    for (std::size_t c = 0; c < 8; ++c) x[r * 8 + c] = 2.5;
  set_all(output, [](auto r, auto, double e) { return r % 3 == 0 ? kNan : e; });
  EXPECT_THAT(all_sentences(output),
              HasSubstr("`out` is NaN where the spread of `x` in the row is 0, and only there."));
}

TEST(NotFinite, ScatteredOrFewHaveNoCause) {
  WrongOutput output = right_matrix(20, 20);
  Random random(2);
  set_all(output, [&](auto, auto, double e) { return random.below(4) == 0 ? kNan : e; });
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("where")));
  // The largest of all by itself may be anything.
  output = right_matrix(20, 20);
  output.others[2].values[37] = 50;
  output.got[37] = kNan;
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("where")));
}

TEST(NotFinite, WhatNobodyWroteIsNotNaN) {
  WrongOutput output = right_matrix(8, 20);
  set_all(output, [](auto r, auto, double e) { return r == 2 ? kNan : e; });
  leave_out(output, [](auto r, auto) { return r == 2; });
  EXPECT_THAT(all_sentences(output), Not(HasSubstr("NaN")));
  EXPECT_THAT(first_sentence(output), HasSubstr("Row 2 of `out` was never written"));
}

}  // namespace
}  // namespace fusebox::patterns
