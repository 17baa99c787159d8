#include "grader/judge/compare/evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/judge/compare/compare.h"
#include "grader/judge/compare/tensor_bytes.h"

namespace fusebox {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A tensor of four floats, the right answer 1, 2, 3, 4.
Tensor tensor() {
  Tensor made;
  made.name = "out";
  made.shape = {4};
  made.role = Role::out;
  made.expected = {1, 2, 3, 4};
  made.tolerance = {1e-3, 0, "test"};
  return made;
}

/// `values`, and poison where an element was not written.
std::vector<std::byte> bytes_of(const std::vector<double>& values, const std::vector<int>& unwritten = {}) {
  auto bytes = encode(values, DType::f32);
  for (const int i : unwritten) std::fill_n(bytes.begin() + 4 * i, 4, kPoison);
  return bytes;
}

Agreement of(const std::vector<std::byte>& answer, const std::vector<std::byte>& other,
             bool all_written = true) {
  return agreement(tensor(), {answer, all_written}, {other, all_written});
}

TEST(Agreement, CountsWhatIsEqualAndNotRight) {
  const auto half = bytes_of({0.5, 2, 1.5, 4});
  const Agreement agreed = of(half, half);
  EXPECT_FALSE(agreed.refuted);
  EXPECT_EQ(agreed.telling, 2);
}

TEST(Agreement, OneElementRefutes) {
  EXPECT_TRUE(of(bytes_of({0, 0, 0, 0.1}), bytes_of({0, 0, 0, 0})).refuted);
}

TEST(Agreement, NaNEqualsNothingAndProvesNothing) {
  const auto all = bytes_of({kNaN, kNaN, kNaN, kNaN});
  EXPECT_FALSE(of(all, all).refuted);
  EXPECT_EQ(of(all, all).telling, 0);
  EXPECT_TRUE(of(all, bytes_of({kNaN, kNaN, kNaN, 4})).refuted);
}

TEST(Agreement, WhatNobodyWroteEqualsNothingAndProvesNothing) {
  const auto some = bytes_of({0, 0, 3, 4}, {2, 3});
  EXPECT_FALSE(of(some, some, false).refuted);
  EXPECT_EQ(of(some, some, false).telling, 2);
  EXPECT_TRUE(of(some, bytes_of({0, 0, kNaN, 4}, {3}), false).refuted);
}

TEST(Agreement, RoundingIsAllowedInProportionToTheValues) {
  // A hundredth of the right magnitude: a hundredth of the tolerance.
  EXPECT_FALSE(of(bytes_of({0.01, 0.02, 0.03, 0.040009}), bytes_of({0.01, 0.02, 0.03, 0.04})).refuted);
  EXPECT_TRUE(of(bytes_of({0.01, 0.02, 0.03, 0.0405}), bytes_of({0.01, 0.02, 0.03, 0.04})).refuted);
}

}  // namespace
}  // namespace fusebox
