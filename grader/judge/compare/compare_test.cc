#include "grader/judge/compare/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/judge/compare/tensor_bytes.h"

namespace fusebox {
namespace {

using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensor matrix(std::vector<double> expected, double absolute, double relative = 0) {
  Tensor t;
  t.name = "out";
  t.shape = {2, static_cast<std::int64_t>(expected.size()) / 2};
  t.role = Role::out;
  t.expected = std::move(expected);
  t.tolerance = {absolute, relative, "test"};
  return t;
}

Comparison compared(const Tensor& tensor, const std::vector<double>& got) {
  return compare(tensor, encode(got, tensor.dtype), true);
}

TEST(Compare, TableOfSingleValues) {
  const struct {
    double expected, got, absolute, relative;
    bool passes;
  } rows[] = {
      {1, 1, 0, 0, true},           {1, 1.25, 0.25, 0, true},  // exactly at the limit
      {1, 1.25, 0.2499, 0, false},                             // just over it
      {-8, -9, 0, 0.125, true},                                // relative to |expected|
      {-8, -9.01, 0, 0.125, false}, {0, 0.5, 0, 10, false},    // a relative tolerance allows nothing at zero
      {1, kNan, 100, 100, false},   {1, kInfinity, 100, 100, false}, {1, -1, 0.5, 0, false},
  };
  for (const auto& row : rows) {
    const auto c = compared(matrix({row.expected, 0}, row.absolute, row.relative), {row.got, 0});
    EXPECT_EQ(c.ok(), row.passes) << row.expected << " " << row.got;
  }
}

TEST(Compare, WhatNobodyLooksAtIsNeitherComparedNorShown) {
  Tensor tensor = matrix({1, 0, 2, 3}, 0.1);
  tensor.overlooked = {false, true, false, false};
  const std::vector<double> values[] = {{1, kNan, 2, 3}, {1, 77, 2, 3}, {1, 0, 2, 3}};
  for (const auto& got : values) {
    EXPECT_TRUE(compared(tensor, got).ok());
    auto bytes = encode(got, tensor.dtype);
    hide_overlooked(tensor, bytes);
    EXPECT_EQ(bytes, encode(std::vector<double>{1, 0, 2, 3}, tensor.dtype));
  }
  const auto c = compared(tensor, {1, 77, kNan, 3});
  EXPECT_EQ(c.wrong, 1);
  EXPECT_EQ(c.mismatches[0].index, (std::vector<std::int64_t>{1, 0}));
}

TEST(Compare, FirstAndWorstAreFoundWithTheirIndices) {
  const auto c = compared(matrix({0, 1, 2, 3, 4, 5}, 0.1), {0, 1.5, 2, 3, 9, 5.2});
  EXPECT_EQ(c.wrong, 3);
  ASSERT_EQ(c.mismatches.size(), 2u);
  EXPECT_EQ(c.mismatches[0].index, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(c.mismatches[1].index, (std::vector<std::int64_t>{1, 1}));
  EXPECT_DOUBLE_EQ(c.mismatches[1].error, 5);
  EXPECT_DOUBLE_EQ(c.max_error, 5);
  EXPECT_DOUBLE_EQ(c.tolerance, 0.1);
  EXPECT_THAT(describe(c, "out"), HasSubstr("3 of 6 elements of `out` are wrong"));
  EXPECT_THAT(describe(c, "out"), HasSubstr("worst out[1, 1]: expected 4, got 9"));
}

TEST(Compare, NotANumberIsTheWorst) {
  const auto c = compared(matrix({0, 1, 2, 3}, 0.1), {50, 1, kNan, 3});
  ASSERT_EQ(c.mismatches.size(), 2u);
  EXPECT_TRUE(std::isnan(c.mismatches[1].got));
  EXPECT_TRUE(std::isnan(c.max_error));
}

TEST(Compare, PassingReportsTheLargestUseOfTheTolerance) {
  const auto c = compared(matrix({0, 100}, 0.01, 0.01), {0.005, 100.1});
  EXPECT_TRUE(c.ok());
  EXPECT_NEAR(c.max_error, 0.005, 1e-6);  // half of its 0.01; the other uses a tenth of its 1.01
  EXPECT_DOUBLE_EQ(c.tolerance, 0.01);
}

TEST(Compare, NeverWrittenIsSaid) {
  const auto t = matrix({1, 2, 3, 4}, 0.1);
  std::vector<std::byte> got = encode(std::vector<double>{1, 2, 3, 4}, DType::f32);
  std::fill(got.begin() + 12, got.end(), kPoison);
  auto c = compare(t, got, false);
  EXPECT_EQ(c.wrong, 1);
  EXPECT_EQ(c.unwritten, 1);
  EXPECT_THAT(describe(c, "out"), HasSubstr("never written"));
  EXPECT_THAT(describe(c, "out"), HasSubstr("[1, 1]"));

  std::fill(got.begin(), got.end(), kPoison);
  EXPECT_THAT(describe(compare(t, got, false), "out"), HasSubstr("`out` was never written"));
  // A kernel that stores a NaN of all ones has written it.
  EXPECT_EQ(compare(t, got, true).unwritten, 0);
}

TEST(Compare, IntegersAreExact) {
  Tensor t = matrix({1, 2, 3, 4}, 0);
  t.dtype = DType::i32;
  EXPECT_TRUE(compared(t, {1, 2, 3, 4}).ok());
  EXPECT_FALSE(compared(t, {1, 2, 3, 5}).ok());
}

TEST(FirstChange, NamesTheElement) {
  const auto given = encode(std::vector<double>{1, 2, 3, 4}, DType::f32);
  auto after = given;
  EXPECT_EQ(first_change(given, after, DType::f32), -1);
  after[9] ^= std::byte{1};
  EXPECT_EQ(first_change(given, after, DType::f32), 2);
}

}  // namespace
}  // namespace fusebox
