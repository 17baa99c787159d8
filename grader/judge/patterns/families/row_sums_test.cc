#include "grader/judge/patterns/families/row_sums.h"

#include <gtest/gtest.h>

#include <functional>

#include "grader/judge/patterns/patterns_testing.h"

namespace fusebox::patterns {
namespace {

constexpr std::size_t kWidth = 30, kRows = 12;

using Counts = std::function<bool(std::size_t)>;

/// A vector of sums of those of twelve rows that `came` counts, where those that `belong` counts should be.
std::string said_of(const Counts& came, const Counts& belong, std::size_t width = kWidth) {
  Random random(4);
  const NamedTensor partial{"partial", {}, random.normals(static_cast<std::int64_t>(width * kRows))};
  WrongOutput output;
  output.tensor.name = "total", output.tensor.role = Role::out;
  output.tensor.shape = {static_cast<std::int64_t>(width)};
  output.tensor.tolerance = {1e-5, 1e-5, ""};
  for (std::size_t c = 0; c < width; ++c) {
    double got = 0, expected = 0;
    for (std::size_t r = 0; r < kRows; ++r) {
      const double value = partial.values[r * width + c];
      if (came(r)) got += value;
      if (belong(r)) expected += value;
    }
    output.got.push_back(static_cast<float>(got));
    output.tensor.expected.push_back(expected);
  }
  return rows_summed(output, partial);
}

TEST(RowSums, OtherRowsThanShouldBe) {
  const Counts even = [](std::size_t r) { return r % 2 == 0; };
  EXPECT_EQ(
      said_of([](std::size_t r) { return r < 6; }, even),
      "`total` is the sum of rows 0 to 5 of `partial`, of 30 values each, where rows 0, 2 and so on to 10 belong.");
  EXPECT_EQ(said_of([](std::size_t r) { return r == 3; }, [](std::size_t r) { return r == 1 || r == 7; }),
            "`total` is the sum of row 3 of `partial`, of 30 values each, where rows 1 and 7 belong.");
}

TEST(RowSums, NothingWithoutProofOfBoth) {
  const Counts all = [](std::size_t) { return true; };
  EXPECT_EQ(said_of([](std::size_t r) { return r == 0 || r == 1 || r == 5; }, all), "") << "no such steps";
  EXPECT_EQ(said_of(all, [](std::size_t r) { return r < 3 || r == 8; }), "") << "nor of what belongs there";
  EXPECT_EQ(said_of(all, all), "") << "nothing is wrong";
  EXPECT_EQ(said_of([](std::size_t r) { return r < 6; }, all, 7), "") << "seven values prove nothing";
}

}  // namespace
}  // namespace fusebox::patterns
