#include "grader/judge/patterns/families/corner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "grader/judge/patterns/patterns_testing.h"

namespace fusebox::patterns {
namespace {

using namespace made_up;
using ::testing::HasSubstr;

TEST(Corner, ShowsWrongBesideRight) {
  WrongOutput output = right_matrix(2, 4);
  output.tensor.expected = {1, 2, 3, 4, 5, 6, 7, 8};
  output.got = {1, 2, 3, 4.5, 5, 6, std::nan(""), 8};
  output.written = {true, true, true, true, true, true, true, false};
  EXPECT_EQ(corner(output),
            "          column         0          1          2          3\n"
            "row 0   expected         1          2          3          4\n"
            "        got              1          2          3        4.5*\n"
            "row 1   expected         5          6          7          8\n"
            "        got              5          6        nan* unwritten*\n");
}

TEST(Corner, WhatNobodyLooksAtIsNotShown) {
  WrongOutput output = right_matrix(2, 2);
  output.tensor.expected = {1, 0, 3, 4};
  output.tensor.overlooked = {false, true, false, false};
  output.got = {1, 0, 3, 5};
  EXPECT_EQ(corner(output),
            "          column         0          1\n"
            "row 0   expected         1          -\n"
            "        got              1          -\n"
            "row 1   expected         3          4\n"
            "        got              3          5*\n");
}

TEST(Corner, BeginsBeforeTheFirstWrongElement) {
  WrongOutput output = right_matrix(9, 300);
  leave_out(output, [](auto r, auto c) { return r >= 5 && c >= 256; });
  const std::string text = corner(output);
  EXPECT_THAT(text, HasSubstr(" 254 "));
  EXPECT_THAT(text, HasSubstr("row 4"));
  EXPECT_EQ(text.find("row 3"), std::string::npos);
}

TEST(Corner, HasTheWrongElementAlsoWhereItIsTheLast) {
  for (const std::int64_t columns : {5, 6, 7, 8, 300}) {
    WrongOutput output = right_matrix(1, columns);
    output.tensor.expected.assign(static_cast<std::size_t>(columns), 1);
    output.got = output.tensor.expected;
    output.got.back() = 2;
    EXPECT_THAT(corner(output), HasSubstr("2*")) << columns;
    for (double& e : output.tensor.expected) e = -1.2345678e-107;  // so wide that few columns have room
    output.got = output.tensor.expected;
    output.got.back() = 2;
    EXPECT_THAT(corner(output), HasSubstr("2*")) << columns;
  }
}

TEST(Corner, DigitsAreEnoughToSeeTheError) {
  WrongOutput output = right_matrix(2, 4);
  output.got[0] = output.tensor.expected[0] = 1.2345678;
  output.got[0] += 4e-6;
  EXPECT_THAT(corner(output), HasSubstr("1.23457"));
}

TEST(Corner, FitsATerminalWhateverItHolds) {
  Random random(6);
  for (int n = 0; n < 100; ++n) {
    WrongOutput output =
        right_matrix(1 + random.below(6), 1 + random.below(2000), static_cast<std::uint64_t>(n));
    for (double& e : output.tensor.expected) e = -1.2345678e-107 * random.uniform(1, 9);
    for (double& g : output.got)
      g = random.below(9) == 0 ? -std::numeric_limits<double>::infinity() : -1.23456789e108;
    std::istringstream lines(corner(output));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80u) << line;
    EXPECT_LE(count, 9);
    EXPECT_GE(count, 3);
  }
  EXPECT_EQ(corner(right_matrix(3, 3)), "");
}

TEST(Corner, OtherRanks) {
  WrongOutput vector = right_vector(50);
  vector.got[30] += 1;
  EXPECT_THAT(corner(vector), HasSubstr("element"));
  WrongOutput cube = right_matrix(6, 5);
  cube.tensor.shape = {2, 3, 5};
  cube.got[29] += 1;
  EXPECT_THAT(corner(cube), HasSubstr("[1, 2]"));
  WrongOutput scalar = right_matrix(1, 1);
  scalar.tensor.shape = {};
  scalar.got[0] += 1;
  EXPECT_THAT(corner(scalar), HasSubstr("*"));
}

}  // namespace
}  // namespace fusebox::patterns
