#include "grader/catalog/build.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fusebox {
namespace {

TEST(Signature, ReadsAsADemangledSymbol) {
  const auto typed = signature<void(const float*, float*, int, long, float)>("f");
  EXPECT_EQ(typed.demangled(), "f(float const*, float*, int, long, float)");
  EXPECT_EQ(signature<void()>("g").demangled(), "g()");
  EXPECT_EQ(signature<void(const bf16*)>("h").demangled(), "h(__nv_bfloat16 const*)");
}

TEST(Random, IsTheSameStreamForOneSeed) {
  Random a(5), b(5), c(6);
  const std::vector<double> first = a.normals(100);
  EXPECT_EQ(first, b.normals(100));
  EXPECT_NE(first, c.normals(100));
}

TEST(Random, HasTheDistributionsItSays) {
  Random random(1);
  constexpr int kCount = 200000;
  double sum = 0, squares = 0;
  for (double value : random.normals(kCount, 3, 2)) {
    ASSERT_EQ(value, as_float(value));
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kCount;
  EXPECT_NEAR(mean, 3, 0.03);
  EXPECT_NEAR(squares / kCount - mean * mean, 4, 0.1);

  int negative = 0;
  for (double value : random.signed_uniforms(1000, 0.25, 0.75)) {
    ASSERT_GE(std::fabs(value), 0.25);
    ASSERT_LE(std::fabs(value), 0.75);
    negative += value < 0;
  }
  EXPECT_NEAR(negative, 500, 80);

  std::vector<int> seen(7);
  for (int i = 0; i < 7000; ++i) ++seen.at(static_cast<std::size_t>(random.below(7)));
  for (int count : seen) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(random.below(1), 0);
  for (int i = 0; i < 1000; ++i) {
    const double value = random.uniform(-1, 2);
    ASSERT_GE(value, -1);
    ASSERT_LT(value, 2);
  }
}

TEST(RoundToBf16, GoesToTheNearestTiesToEven) {
  const struct {
    double value, rounded;
  } rows[] = {
      {0, 0},
      {1, 1},
      {1 + 0x1p-8, 1},                       // halfway between 1 and 1 + 2^-7: even is 1
      {1 + 3 * 0x1p-8, 1 + 0x1p-6},          // halfway: even is the upper one
      {1 + 0x1p-8 + 0x1p-30, 1 + 0x1p-7},    // just above halfway
      {-1 - 0x1p-8 - 0x1p-50, -1 - 0x1p-7},  // a detour over float would call this a tie
      {0x1p-133, 0x1p-133},                  // the smallest there is
      {0x1p-134, 0},
      {0x1.8p-133, 0x1p-132},
      {0x1.fep127, 0x1.fep127},  // the largest
  };
  for (const auto& row : rows) EXPECT_EQ(round_to_bf16(row.value), row.rounded) << row.value;
  EXPECT_TRUE(std::isinf(round_to_bf16(0x1.ffp127)));
  EXPECT_TRUE(std::isnan(round_to_bf16(std::numeric_limits<double>::quiet_NaN())));
}

TEST(SectorBytes, RoundUpToWholeSectors) {
  EXPECT_EQ(sector_bytes(1), 32);
  EXPECT_EQ(sector_bytes(8), 32);
  EXPECT_EQ(sector_bytes(9), 64);
  EXPECT_EQ(sector_bytes(16, 2), 32);
  EXPECT_EQ(sector_bytes(0), 0);
}

TEST(DrawRows, KindsAreWhatTheySay) {
  Random random(3);
  const auto deviation_about = [](const std::vector<double>& values, double centre) {
    double squares = 0;
    for (double value : values) squares += (value - centre) * (value - centre);
    return std::sqrt(squares / static_cast<double>(values.size()));
  };
  EXPECT_NEAR(deviation_about(draw_rows("normal", 50, 100, random), 0), 1, 0.05);
  EXPECT_NEAR(deviation_about(draw_rows("offset", 50, 100, random), 1e4), 1, 0.05);
  EXPECT_NEAR(deviation_about(draw_rows("tiny", 50, 100, random), 0), 1e-3, 5e-5);
  EXPECT_EQ(draw_rows("rows", 3, 5, random).size(), 15u);
  EXPECT_DEATH(draw_rows("strange", 1, 1, random), "strange");
}

}  // namespace
}  // namespace fusebox
